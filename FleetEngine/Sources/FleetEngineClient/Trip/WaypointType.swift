/// The purpose of a stop.
public enum WaypointType: Int, Sendable, CaseIterable {
    /// No purpose, or one that this version doesn't know.
    case unknown = 0
    /// Picking up riders.
    case pickup = 1
    /// Dropping off riders.
    case dropoff = 2
    /// An intermediate destination of a trip.
    case intermediateDestination = 3
}

extension WaypointType: ProtoEnumeration {
    static let protoNames = [
        "UNKNOWN_WAYPOINT_TYPE", "PICKUP_WAYPOINT_TYPE", "DROP_OFF_WAYPOINT_TYPE",
        "INTERMEDIATE_DESTINATION_WAYPOINT_TYPE",
    ]
}
