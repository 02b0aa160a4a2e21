/// The status of a trip; the raw values are those of Fleet Engine and of Google's SDK.
public enum TripStatus: Int, Sendable, CaseIterable {
    /// No status, or one that this version doesn't know.
    case unknown = 0
    /// The trip was created.
    case new = 1
    /// The vehicle drives to the pickup point.
    case enrouteToPickup = 2
    /// The vehicle is at the pickup point.
    case arrivedAtPickup = 3
    /// The vehicle drives to the drop-off point.
    case enrouteToDropoff = 4
    /// The trip is complete.
    case complete = 5
    /// The trip was canceled.
    case canceled = 6
    /// The vehicle is at an intermediate destination.
    case arrivedAtIntermediateDestination = 7
    /// The vehicle drives to an intermediate destination.
    case enrouteToIntermediateDestination = 8

    /// Whether the trip has ended, so that nothing changes any more.
    public var isTerminal: Bool { self == .complete || self == .canceled }
}

extension TripStatus: ProtoEnumeration {
    static let protoNames = [
        "UNKNOWN_TRIP_STATUS", "NEW", "ENROUTE_TO_PICKUP", "ARRIVED_AT_PICKUP", "ENROUTE_TO_DROPOFF", "COMPLETE",
        "CANCELED", "ARRIVED_AT_INTERMEDIATE_DESTINATION", "ENROUTE_TO_INTERMEDIATE_DESTINATION",
    ]
}
