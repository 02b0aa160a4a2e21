#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Distances and times where no device has reported any: straight lines, at the speed of a city.
///
/// Fleet Engine plans routes on its own map.
enum Estimate {
    /// 30 km/h, in metres a second.
    static let speed = 30 / 3.6
    private static let earthRadius = 6_371_008.8

    /// Returns the distance of two points on the Earth's surface, in metres (haversine).
    static func distance(_ a: Point, _ b: Point) -> Double {
        let (latitude1, latitude2) = (a.latitude * .pi / 180, b.latitude * .pi / 180)
        let vertical = sin((latitude2 - latitude1) / 2)
        let horizontal = sin((b.longitude - a.longitude) * .pi / 180 / 2)
        let h = vertical * vertical + cos(latitude1) * cos(latitude2) * horizontal * horizontal
        return 2 * earthRadius * asin(min(1, h.squareRoot()))
    }

    /// Returns how long a route takes, in seconds.
    static func duration(meters: Double) -> Double { meters / speed }
}
