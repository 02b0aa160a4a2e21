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

extension VehicleUpdate {
    /// Takes over fields that Fleet Engine has accepted.
    mutating func replace(_ fields: [ReportField], by update: Self) {
        for field in fields {
            switch field {
            case .vehicleState: vehicleState = update.vehicleState
            case .lastLocation: location = update.location
            case .remainingTimeSeconds, .remainingDuration: remainingTime = update.remainingTime
            case .remainingDistanceMeters: remainingDistance = update.remainingDistance
            case .currentRouteSegment: route = update.route
            case .currentRouteSegmentEndPoint: destinationWaypoint = update.destinationWaypoint
            case .navigationStatus: navigationStatus = update.navigationStatus
            }
        }
    }
}
