public import Foundation

/// A trip as Fleet Engine last described it.
public struct Trip: Hashable, Sendable {
    /// The name: `providers/{provider_id}/trips/{trip_id}`.
    public var name = ""
    /// The ID of the assigned vehicle.
    public var vehicleID: String?
    /// The type.
    public var tripType = TripType.unknown
    /// The status.
    public var tripStatus = TripStatus.unknown
    /// The place of the pickup.
    public var pickupLocation: TerminalLocation?
    /// The estimated or actual time of the pickup.
    public var pickupTime: Date?
    /// The place of the drop-off.
    public var dropoffLocation: TerminalLocation?
    /// The estimated or actual time of the drop-off.
    public var dropoffTime: Date?
    /// The places between pickup and drop-off, in order; nil if there are none.
    public var intermediateDestinations: [TerminalLocation]?
    /// The index of the next or current intermediate destination.
    public var intermediateDestinationIndex: Int32 = 0
    /// The number of passengers.
    public var numberOfPassengers: Int32 = 0
    /// The vehicle's location; nil without a vehicle, and when the trip has ended.
    public var lastLocation: VehicleLocation?
    /// The stops that the vehicle has still to make, in order; nil if there are none.
    ///
    /// The first may belong to another trip.
    public var remainingWaypoints: [TripWaypoint]?
    /// The route to the next waypoint.
    public var activeRoute: [LatLng]?
    /// The distance to the next waypoint, in meters.
    public var activeRouteRemainingDistance: Int32?
    /// The estimated time of arrival at the next waypoint.
    public var etaToNextWaypoint: Date?

    /// Creates a trip, for tests and previews.
    public init(name: String, tripStatus: TripStatus = .unknown) {
        self.name = name
        self.tripStatus = tripStatus
    }
}

extension Trip {
    /// The route from the next waypoint to the last; nil if there is none.
    public var remainingRoute: [LatLng]? {
        let points = (remainingWaypoints ?? []).dropFirst().flatMap { $0.path ?? [] }
        return points.isEmpty ? nil : points
    }
}
