public import Foundation

/// A stop that the vehicle has still to make.
///
/// The first may belong to another trip that the vehicle serves.
public struct TripWaypoint: Hashable, Sendable {
    /// The place.
    public var location: TerminalLocation?
    /// The ID of the trip that the stop belongs to.
    public var tripID: String?
    /// The purpose of the stop.
    public var type: WaypointType
    /// The path from the previous waypoint.
    public var path: [LatLng]?
    /// The length of the path in meters.
    public var distanceMeters: Int32?
    /// The estimated time of arrival.
    public var eta: Date?
    /// The travel time from the previous waypoint, in seconds.
    public var duration: TimeInterval?

    /// Creates a waypoint, for tests and previews.
    public init(location: TerminalLocation?, type: WaypointType) {
        self.location = location
        self.type = type
    }

    init(_ message: ProtoObject) throws(FleetEngineError) {
        location = try TerminalLocation(message.message("location"))
        tripID = try message.string("tripId")
        type = try message.enumeration("waypointType") ?? .unknown
        path = try message.points("pathToWaypoint")
        distanceMeters = try message.integer("distanceMeters")
        eta = try message.date("eta")
        duration = try message.duration("duration")
    }
}
