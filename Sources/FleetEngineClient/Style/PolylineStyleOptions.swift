/// A route whose style can be set: the SDK's `GMTCPolylineType`.
///
/// Types may be added.
@nonexhaustive
public enum PolylineType: String, CaseIterable, Sendable {
    /// The route to the vehicle's next stop.
    case activeRoute
    /// The rest of the trip after that stop.
    case remainingRoute
}

/// The style of a route: the SDK's `GMTCPolylineStyleOptions`, as data.
public struct PolylineStyleOptions: Hashable, Sendable {
    /// The color.
    public var color: StyleColor
    /// The width in points, from 0.1 to 40; one out of range becomes the nearest within, and NaN changes nothing.
    public var width: Double {
        didSet { width = width.isNaN ? oldValue : min(max(width, 0.1), 40) }
    }
    /// Whether the route is drawn; false disables it.
    public var isVisible: Bool
    /// Whether stretches without normal traffic are drawn over the route in their own colors; false by default.
    public var isTrafficEnabled: Bool
    private var trafficColors: [SpeedType: StyleColor] = [:]

    /// Creates the default options of a type.
    public init(for type: PolylineType) {
        isVisible = true
        isTrafficEnabled = false
        (color, width) =
            switch type {
            case .activeRoute: (.blue, 6)
            case .remainingRoute: (.gray, 5)
            }
    }

    /// Returns the color of stretches with a speed.
    public func trafficColor(for speed: SpeedType) -> StyleColor {
        trafficColors[speed] ?? Self.defaultTrafficColor(for: speed)
    }

    /// Sets the color of stretches with a speed; nil restores the default.
    public mutating func setTrafficColor(for speed: SpeedType, color: StyleColor?) {
        // Options that look the same are equal.
        trafficColors[speed] = color == Self.defaultTrafficColor(for: speed) ? nil : color
    }

    private static func defaultTrafficColor(for speed: SpeedType) -> StyleColor {
        switch speed {
        case .noData: .slate
        case .normal: .blue
        case .slow: .orange
        case .trafficJam: .red
        }
    }
}
