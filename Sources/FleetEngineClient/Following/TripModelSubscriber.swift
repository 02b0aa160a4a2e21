public import Foundation

/// Receives the updates of a trip, with the methods of the Consumer SDK's `GMTCTripModelSubscriber`.
///
/// Each method is optional. A changed field calls exactly one of them, in the order in which they are listed here, after
/// the method for the whole trip.
@MainActor
public protocol TripModelSubscriber: AnyObject, Sendable {
    /// Following has started or stopped.
    func tripModel(_ tripModel: TripModel, didUpdate sessionState: TripModelState)
    /// The trip has changed in these fields.
    func tripModel(_ tripModel: TripModel, didUpdate trip: Trip?, updatedPropertyFields: TripPropertyFields)
    /// The status has changed.
    func tripModel(_ tripModel: TripModel, didUpdate tripStatus: TripStatus)
    /// The vehicle has moved, or there is none any more.
    func tripModel(_ tripModel: TripModel, didUpdate vehicleLocation: VehicleLocation?)
    /// The place of the pickup has changed.
    func tripModel(_ tripModel: TripModel, didUpdatePickupLocation pickupLocation: TerminalLocation?)
    /// The place of the drop-off has changed.
    func tripModel(_ tripModel: TripModel, didUpdateDropoffLocation dropoffLocation: TerminalLocation?)
    /// The intermediate destinations, or the index of the next, have changed.
    func tripModel(
        _ tripModel: TripModel,
        didUpdateIntermediateDestinations intermediateDestinations: [TerminalLocation]?
    )
    /// The time of the pickup has changed; in seconds since 1970.
    func tripModel(_ tripModel: TripModel, didUpdatePickupETA pickupETA: TimeInterval)
    /// The time of the drop-off has changed; in seconds since 1970.
    func tripModel(_ tripModel: TripModel, didUpdateDropoffETA dropoffETA: TimeInterval)
    /// The time of arrival at the next waypoint has changed; in seconds since 1970.
    func tripModel(_ tripModel: TripModel, didUpdateETAToNextWaypoint nextWaypointETA: TimeInterval)
    /// The route to the next waypoint has changed.
    func tripModel(_ tripModel: TripModel, didUpdateActiveRoute activeRoute: [LatLng]?)
    /// The traffic on the route to the next waypoint has changed.
    func tripModel(_ tripModel: TripModel, didUpdateActiveRouteTraffic activeRouteTraffic: TrafficData?)
    /// The distance to the next waypoint has changed; in meters.
    func tripModel(_ tripModel: TripModel, didUpdateActiveRouteRemainingDistance activeRouteRemainingDistance: Int32)
    /// The remaining waypoints have changed.
    func tripModel(_ tripModel: TripModel, didUpdateRemaining remainingWaypoints: [TripWaypoint]?)
    /// The route after the next waypoint has changed.
    func tripModel(_ tripModel: TripModel, didUpdateRemainingRoute remainingRoute: [LatLng]?)
    /// The traffic after the next waypoint has changed.
    func tripModel(_ tripModel: TripModel, didUpdateRemainingRouteTraffic remainingRouteTraffic: TrafficData?)
    /// The distance after the next waypoint has changed; in meters.
    func tripModel(_ tripModel: TripModel, didUpdateRemainingRouteDistance remainingRouteDistance: Int32)
    /// A request failed; following continues.
    ///
    /// The error is a ``FleetEngineError``, and as an `NSError` one of domain `io.grpc`.
    func tripModel(_ tripModel: TripModel, didFailUpdateTripWithError error: (any Error)?)
    /// A request succeeded after one or more had failed, whether or not the trip has changed.
    ///
    /// Google's protocol has no such method.
    func tripModelDidRecover(_ tripModel: TripModel)
}

extension TripModelSubscriber {
    /// Does nothing.
    public func tripModel(_ tripModel: TripModel, didUpdate sessionState: TripModelState) {}
    /// Does nothing.
    public func tripModel(_ tripModel: TripModel, didUpdate trip: Trip?, updatedPropertyFields: TripPropertyFields) {}
    /// Does nothing.
    public func tripModel(_ tripModel: TripModel, didUpdate tripStatus: TripStatus) {}
    /// Does nothing.
    public func tripModel(_ tripModel: TripModel, didUpdate vehicleLocation: VehicleLocation?) {}
    /// Does nothing.
    public func tripModel(_ tripModel: TripModel, didUpdatePickupLocation pickupLocation: TerminalLocation?) {}
    /// Does nothing.
    public func tripModel(_ tripModel: TripModel, didUpdateDropoffLocation dropoffLocation: TerminalLocation?) {}
    /// Does nothing.
    public func tripModel(
        _ tripModel: TripModel,
        didUpdateIntermediateDestinations intermediateDestinations: [TerminalLocation]?
    ) {}
    /// Does nothing.
    public func tripModel(_ tripModel: TripModel, didUpdatePickupETA pickupETA: TimeInterval) {}
    /// Does nothing.
    public func tripModel(_ tripModel: TripModel, didUpdateDropoffETA dropoffETA: TimeInterval) {}
    /// Does nothing.
    public func tripModel(_ tripModel: TripModel, didUpdateETAToNextWaypoint nextWaypointETA: TimeInterval) {}
    /// Does nothing.
    public func tripModel(_ tripModel: TripModel, didUpdateActiveRoute activeRoute: [LatLng]?) {}
    /// Does nothing.
    public func tripModel(_ tripModel: TripModel, didUpdateActiveRouteTraffic activeRouteTraffic: TrafficData?) {}
    /// Does nothing.
    public func tripModel(
        _ tripModel: TripModel,
        didUpdateActiveRouteRemainingDistance activeRouteRemainingDistance: Int32
    ) {}
    /// Does nothing.
    public func tripModel(_ tripModel: TripModel, didUpdateRemaining remainingWaypoints: [TripWaypoint]?) {}
    /// Does nothing.
    public func tripModel(_ tripModel: TripModel, didUpdateRemainingRoute remainingRoute: [LatLng]?) {}
    /// Does nothing.
    public func tripModel(_ tripModel: TripModel, didUpdateRemainingRouteTraffic remainingRouteTraffic: TrafficData?) {}
    /// Does nothing.
    public func tripModel(_ tripModel: TripModel, didUpdateRemainingRouteDistance remainingRouteDistance: Int32) {}
    /// Does nothing.
    public func tripModel(_ tripModel: TripModel, didFailUpdateTripWithError error: (any Error)?) {}
    /// Does nothing.
    public func tripModelDidRecover(_ tripModel: TripModel) {}
}
