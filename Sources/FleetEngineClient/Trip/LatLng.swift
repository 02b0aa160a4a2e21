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
        guard (-90...90).contains(latitude), (-180...180).contains(longitude) else {
            throw .unexpectedResponse("a position is out of range.")
        }
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
