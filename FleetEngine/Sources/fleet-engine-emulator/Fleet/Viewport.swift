import FleetToken

/// A box on the map.
struct Viewport {
    private let low: Point
    private let high: Point

    /// Creates a box, and checks that it is not empty, as Google defines that.
    init(_ message: Message) throws(EngineError) {
        guard let low = message.point("low"), let high = message.point("high") else {
            throw .missing("viewport", "must have low and high")
        }
        guard low.latitude <= high.latitude, low.longitude != 180 || high.longitude != -180 else {
            throw .invalid("viewport", "is empty: low must be the south-western corner")
        }
        (self.low, self.high) = (low, high)
    }

    /// Returns whether a place is inside.
    func contains(_ point: Point?) -> Bool {
        guard let point, low.latitude <= point.latitude, point.latitude <= high.latitude else { return false }
        // A box across the antimeridian begins in the east.
        return low.longitude <= high.longitude
            ? (low.longitude...high.longitude).contains(point.longitude)
            : point.longitude >= low.longitude || point.longitude <= high.longitude
    }
}
