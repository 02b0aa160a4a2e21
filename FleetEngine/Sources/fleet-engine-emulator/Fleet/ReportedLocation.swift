import SwiftProtobuf

/// Where a location comes from; each API has an enum of its own with these values.
protocol LocationSensor: Equatable {
    static var unknownSensor: Self { get }
    static var gps: Self { get }
    static var customerSuppliedLocation: Self { get }
    static var fleetEngineLocation: Self { get }
}

/// The location of a vehicle, for which each API has a message of its own with these fields.
protocol ReportedLocation {
    associatedtype Sensor: LocationSensor
    var location: ProtoLatLng { get }
    var locationSensor: Sensor { get }
    var hasHeading: Bool { get }
    var heading: Google_Protobuf_Int32Value { get }
    var hasRawLocation: Bool { get }
    var rawLocation: ProtoLatLng { get }
    var rawLocationSensor: Sensor { get set }
    var flpLocation: ProtoLatLng { get }
    var hasFlpHeadingDegrees: Bool { get }
    var flpHeadingDegrees: Google_Protobuf_Int32Value { get }
    var hasSupplementalLocation: Bool { get }
    var supplementalLocation: ProtoLatLng { get }
    var supplementalLocationSensor: Sensor { get set }
    var serverTime: Timestamp { get set }
    mutating func clearIsGpsSensorEnabled()
    mutating func clearTimeSinceUpdate()
    mutating func clearNumStaleUpdates()
}

extension ProtoLocationSensor: LocationSensor {}
extension ProtoDeliveryVehicleLocationSensor: LocationSensor {}
extension ProtoVehicleLocation: ReportedLocation {}
extension ProtoDeliveryVehicleLocation: ReportedLocation {}

extension ReportedLocation {
    /// Checks what a device reports.
    func check(_ field: String) throws(EngineError) {
        let sensors = [
            ("location_sensor", locationSensor), ("raw_location_sensor", rawLocationSensor),
            ("supplemental_location_sensor", supplementalLocationSensor),
        ]
        for (name, sensor) in sensors where sensor == .fleetEngineLocation {
            throw EngineError.refused(by: .locationSensorReserved, "\(field).\(name)", "is for Fleet Engine only")
        }
        try location.check("\(field).location")
        try rawLocation.check("\(field).raw_location")
        try flpLocation.check("\(field).flp_location")
        try supplementalLocation.check("\(field).supplemental_location")
        guard !hasHeading || (0..<360).contains(heading.value) else {
            throw EngineError.invalid("\(field).heading", "must be from 0 to 359")
        }
        guard !hasFlpHeadingDegrees || (0..<360).contains(flpHeadingDegrees.value) else {
            throw EngineError.invalid("\(field).flp_heading_degrees", "must be from 0 to 359")
        }
    }

    /// Returns the location as it is stored: with the time, the defaults, and without what only requests have.
    func received(at now: Timestamp) -> Self {
        var location = self
        location.serverTime = now
        if hasRawLocation, rawLocationSensor == .unknownSensor { location.rawLocationSensor = .gps }
        if hasSupplementalLocation, supplementalLocationSensor == .unknownSensor {
            location.supplementalLocationSensor = .customerSuppliedLocation
        }
        location.clearIsGpsSensorEnabled()
        location.clearTimeSinceUpdate()
        location.clearNumStaleUpdates()
        return location
    }
}

extension ProtoLatLng {
    /// Checks that it is a place on Earth.
    func check(_ field: String) throws(EngineError) {
        guard (-90...90).contains(latitude), (-180...180).contains(longitude) else {
            throw EngineError.invalid(field, "is not a latitude and longitude")
        }
    }
}
