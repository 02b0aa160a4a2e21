import FleetEngineClient
import Foundation

/// Streets from one point to another.
struct Path: Sendable {
    let points: [LatLng]

    init(_ points: [(Double, Double)]) {
        self.points = points.map { LatLng(latitude: $0.0, longitude: $0.1) }
    }

    var end: LatLng { points.last ?? LatLng(latitude: 0, longitude: 0) }

    /// The length in meters.
    var length: Double { zip(points, points.dropFirst()).reduce(0) { $0 + Self.distance($1.0, $1.1) } }

    /// Returns the point after a number of meters, and the direction there.
    func position(after meters: Double) -> (point: LatLng, heading: Int) {
        var left = max(0, meters)
        for index in points.indices.dropLast() {
            let (from, to) = (points[index], points[index + 1])
            let length = Self.distance(from, to)
            guard left >= length else {
                let share = left / length
                let point = LatLng(
                    latitude: from.latitude + (to.latitude - from.latitude) * share,
                    longitude: from.longitude + (to.longitude - from.longitude) * share
                )
                return (point, Self.heading(from, to))
            }
            left -= length
        }
        return (end, 0)
    }

    private static func heading(_ from: LatLng, _ to: LatLng) -> Int {
        let east = (to.longitude - from.longitude) * cos(from.latitude * .pi / 180)
        let degrees = atan2(east, to.latitude - from.latitude) * 180 / .pi
        return (Int(degrees.rounded()) + 360) % 360
    }

    /// The distance of two points of a city, in meters.
    private static func distance(_ from: LatLng, _ to: LatLng) -> Double {
        let north = (to.latitude - from.latitude) * 111_195
        let east = (to.longitude - from.longitude) * 111_195 * cos(from.latitude * .pi / 180)
        return (north * north + east * east).squareRoot()
    }
}
