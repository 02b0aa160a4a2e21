import FleetEngineClient

/// A route whose style can be set: the SDK's `GMTCPolylineType`.
nonisolated enum PolylineType: String, CaseIterable, Sendable {
    /// The route to the vehicle's next stop.
    case activeRoute
    /// The rest of the trip after that stop.
    case remainingRoute
}

/// The style of a route: the SDK's `GMTCPolylineStyleOptions`, as data.
nonisolated struct PolylineStyleOptions: Hashable, Sendable {
    /// The color.
    var color: StyleColor
    /// The width in points, from 0.1 to 40; one out of range becomes the nearest within, and NaN changes nothing.
    var width: Double {
        didSet { width = width.isNaN ? oldValue : min(max(width, 0.1), 40) }
    }
    /// Whether the route is drawn; false disables it.
    var isVisible: Bool
    /// The order in which routes are drawn; those with a greater index cover others.
    ///
    /// It has 32 bits; an index out of range becomes the nearest one within.
    var zIndex: Int {
        didSet { zIndex = Int(Int32(clamping: zIndex)) }
    }
    /// Whether the stretches between points are the shortest on the globe, and not straight on the map; false by default.
    var isGeodesic = false
    /// Whether stretches without normal traffic are drawn over the route in their own colors; false by default.
    var isTrafficEnabled: Bool
    private var trafficColors: [SpeedType: StyleColor] = [:]

    /// Creates the default options of a type.
    init(for type: PolylineType) {
        isVisible = true
        isTrafficEnabled = false
        (color, width, zIndex) =
            switch type {
            case .activeRoute: (.blue, 6, 1)
            case .remainingRoute: (.gray, 5, 0)
            }
    }

    /// Returns the color of stretches with a speed.
    func trafficColor(for speed: SpeedType) -> StyleColor {
        trafficColors[speed] ?? Self.defaultTrafficColor(for: speed)
    }

    /// Sets the color of stretches with a speed; nil restores the default.
    mutating func setTrafficColor(for speed: SpeedType, color: StyleColor?) {
        // Options that look the same are equal.
        trafficColors[speed] = color == Self.defaultTrafficColor(for: speed) ? nil : color
    }

    private static func defaultTrafficColor(for speed: SpeedType) -> StyleColor {
        let colors: [SpeedType: StyleColor] = [.normal: .blue, .slow: .orange, .trafficJam: .red]
        return colors[speed] ?? .slate
    }
}
