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

/// The type of a trip.
public enum TripType: Int, Sendable, CaseIterable {
    /// No type, or one that this version doesn't know.
    case unknown = 0
    /// The vehicle may serve other trips at the same time.
    case shared = 1
    /// The vehicle serves this trip only.
    case exclusive = 2
}

extension TripType: ProtoEnumeration {
    static let protoNames = ["UNKNOWN_TRIP_TYPE", "SHARED", "EXCLUSIVE"]
}
