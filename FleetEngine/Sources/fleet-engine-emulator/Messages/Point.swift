import EngineCoding
import FleetToken

/// A latitude and a longitude, in degrees.
struct Point: Hashable, Sendable {
    let latitude: Double
    let longitude: Double

    init(_ message: Message) {
        latitude = message.number("latitude") ?? 0
        longitude = message.number("longitude") ?? 0
    }

    init(_ point: Polyline.Point) {
        (latitude, longitude) = point
    }

    var isOnEarth: Bool { (-90...90).contains(latitude) && (-180...180).contains(longitude) }

    var json: JSONValue { .members([("latitude", .number(latitude)), ("longitude", .number(longitude))]) }
}
