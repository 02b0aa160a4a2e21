/// A field of an update mask.
enum ReportField: String, Hashable, Sendable {
    case vehicleState
    case lastLocation
    case remainingTimeSeconds
    case remainingDuration
    case remainingDistanceMeters
    case currentRouteSegment
    case currentRouteSegmentEndPoint
    case navigationStatus
}
