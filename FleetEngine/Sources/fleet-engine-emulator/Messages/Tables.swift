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
        let number = FieldType.wrapped(.number())
        let integer = FieldType.wrapped(.integer())
        let degrees = FieldType.wrapped(.integer(0...359))
        return Table(
            "",
            [
                .init("location", .point), .init("horizontalAccuracy", number), .init("latlngAccuracy", number),
                .init("heading", degrees), .init("bearingAccuracy", number), .init("headingAccuracy", number),
                .init("altitude", number), .init("verticalAccuracy", number), .init("altitudeAccuracy", number),
                .init("speedKmph", integer), .init("speed", number), .init("speedAccuracy", number),
                .init("updateTime", .time), .init("serverTime", .time, .output), .init("locationSensor", .sensor),
                .init("isRoadSnapped", .wrapped(.flag)), .init("roadSnapped", .flag),
            ]
        )
    }()

    /// An attribute of a vehicle, whose value is also in `value`.
    static let vehicleAttribute = Table("", [.init("value", .text)] + attribute.fields)

    /// An attribute of a trip or task.
    static let attribute = Table(
        "",
        [
            .init("key", .text), .init("stringValue", .wrapped(.text), .choice),
            .init("boolValue", .wrapped(.flag), .choice),
            .init("numberValue", .wrapped(.number()), .choice),
        ]
    )
}

extension Table {
    /// Creates a table whose fields all callers may set.
    init(fields: [(name: String, type: FieldType)]) {
        self.init("", fields.map { Field($0.name, $0.type) })
    }
}
