public import Foundation

/// Where a vehicle is, and when it was there.
public struct VehicleLocation: Hashable, Sendable {
    /// The position.
    public var location: LatLng
    /// The direction of travel in degrees, clockwise from north, from 0 to 359.
    public var heading: Int?
    /// The speed in meters per second.
    public var speed: Double?
    /// The radius around the position in which the vehicle is, in meters.
    public var horizontalAccuracy: Double?
    /// When the vehicle was there, by the clock of the driver's device.
    public var updateTime: Date?
    /// When Fleet Engine received the location; ignored when a location is reported.
    public var serverTime: Date?

    /// Creates a location.
    public init(
        location: LatLng,
        heading: Int? = nil,
        speed: Double? = nil,
        horizontalAccuracy: Double? = nil,
        updateTime: Date? = nil,
        serverTime: Date? = nil
    ) {
        self.location = location
        self.heading = heading
        self.speed = speed
        self.horizontalAccuracy = horizontalAccuracy
        self.updateTime = updateTime
        self.serverTime = serverTime
    }

    /// Creates a location; nil for one without a position.
    init?(_ message: ProtoObject?) throws(FleetEngineError) {
        guard let message, let location = try message.message("location") else { return nil }
        self.init(
            location: try LatLng(location),
            heading: try message.integer("heading").map { Int($0) },
            speed: try message.number("speed"),
            horizontalAccuracy: try message.number("latlngAccuracy"),
            updateTime: try message.date("updateTime"),
            serverTime: try message.date("serverTime")
        )
    }
}

/// A position on the earth's surface.
public struct LatLng: Hashable, Sendable {
    /// The latitude in degrees, from -90 to 90.
    public var latitude: Double
    /// The longitude in degrees, from -180 to 180.
    public var longitude: Double

    /// Creates a position from degrees.
    public init(latitude: Double, longitude: Double) {
        self.latitude = latitude
        self.longitude = longitude
    }

    /// Whether both are numbers within their bounds.
    var isValid: Bool { (-90...90).contains(latitude) && (-180...180).contains(longitude) }

    init(_ message: ProtoObject) throws(FleetEngineError) {
        latitude = try message.number("latitude") ?? 0
        longitude = try message.number("longitude") ?? 0
        guard isValid else { throw .unexpectedResponse("a position is out of range.") }
    }
}

extension ProtoObject {
    /// The positions in a repeated field; nil if the field is absent.
    func points(_ name: String) throws(FleetEngineError) -> [LatLng]? {
        try messages(name)?.mapTyped { point throws(FleetEngineError) in try LatLng(point) }
    }
}

/// The place of a pickup, drop-off or intermediate destination.
public struct TerminalLocation: Hashable, Sendable {
    /// The position.
    public var point: LatLng

    /// Creates a place at a position.
    public init(point: LatLng) {
        self.point = point
    }

    /// Creates a place; nil for one without a position.
    init?(_ message: ProtoObject?) throws(FleetEngineError) {
        guard let point = try message?.message("point") else { return nil }
        self.point = try LatLng(point)
    }
}
