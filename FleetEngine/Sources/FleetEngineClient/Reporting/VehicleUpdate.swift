public import Foundation

/// What is reported of a vehicle: the result of a reporter's source, and what a listener gets.
public struct VehicleUpdate: Hashable, Sendable {
    /// Whether the vehicle accepts trips; set by the reporter, and nil for delivery vehicles.
    public internal(set) var vehicleState: VehicleState?
    /// Where the vehicle is; nil if that is not known yet.
    public var location: VehicleLocation?
    /// The destination of the navigation, which must be the next stop in Fleet Engine; nil without navigation.
    public var destinationWaypoint: LatLng?
    /// The route to the destination; nil without navigation.
    public var route: [LatLng]?
    /// The travel time to the destination, in seconds.
    public var remainingTime: TimeInterval?
    /// The distance to the destination, in meters.
    public var remainingDistance: Int32?
    /// The status of the navigation.
    public var navigationStatus: NavigationStatus?

    /// Creates an update.
    public init(
        location: VehicleLocation?,
        destinationWaypoint: LatLng? = nil,
        route: [LatLng]? = nil,
        remainingTime: TimeInterval? = nil,
        remainingDistance: Int32? = nil,
        navigationStatus: NavigationStatus? = nil
    ) {
        self.location = location
        self.destinationWaypoint = destinationWaypoint
        self.route = route
        self.remainingTime = remainingTime
        self.remainingDistance = remainingDistance
        self.navigationStatus = navigationStatus
    }
}
