/// The status of a vehicle's navigation; the raw values are those of Fleet Engine.
public enum NavigationStatus: Int, Sendable, CaseIterable {
    /// No status.
    case unknown = 0
    /// The navigation is off.
    case noGuidance = 1
    /// The vehicle follows its route.
    case enrouteToDestination = 2
    /// The vehicle has left its route.
    case offRoute = 3
    /// The vehicle has arrived.
    case arrivedAtDestination = 4
}

extension NavigationStatus: ProtoEnumeration {
    static let protoNames = [
        "UNKNOWN_NAVIGATION_STATUS", "NO_GUIDANCE", "ENROUTE_TO_DESTINATION", "OFF_ROUTE", "ARRIVED_AT_DESTINATION",
    ]
}
