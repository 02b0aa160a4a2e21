import FleetToken

/// The messages of the API that several resources have in common.
///
/// https://github.com/googleapis/googleapis/tree/master/google/maps/fleetengine has the definitions.
enum Tables {
    static let latLng = Table(fields: [("latitude", .number()), ("longitude", .number())])

    static let navigationStatus = FieldType.name([
        "UNKNOWN_NAVIGATION_STATUS", "NO_GUIDANCE", "ENROUTE_TO_DESTINATION", "OFF_ROUTE", "ARRIVED_AT_DESTINATION",
    ])

    /// A vehicle's location, as a device reports it.
    static let location: Table = {
        let numbers = [
            "horizontalAccuracy", "latlngAccuracy", "bearingAccuracy", "headingAccuracy", "altitude",
            "verticalAccuracy", "altitudeAccuracy", "speed", "speedAccuracy",
        ]
        return Table(
            "",
            numbers.map { .init($0, .number(), .presence) } + [
                .init("location", .point), .init("heading", .integer(0...359), .presence),
                .init("speedKmph", .integer(), .presence), .init("updateTime", .time),
                .init("serverTime", .time, .output), .init("locationSensor", .sensor),
                .init("isRoadSnapped", .flag, .presence), .init("roadSnapped", .flag),
            ]
        )
    }()

    /// An attribute of a vehicle, whose value is also in `value`.
    static let vehicleAttribute = Table("", [.init("value", .text)] + attribute.fields)

    /// An attribute of a trip or task.
    static let attribute = Table(
        "",
        [
            .init("key", .text), .init("stringValue", .text, .choice),
            .init("boolValue", .flag, .choice),
            .init("numberValue", .number(), .choice),
        ]
    )
}

extension Table {
    /// Creates a table whose fields all callers may set.
    init(fields: [(name: String, type: FieldType)]) {
        self.init("", fields.map { Field($0.name, $0.type) })
    }
}
