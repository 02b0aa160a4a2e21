/// A marker whose style can be set: the SDK's `GMTCCustomizableMarkerType`.
nonisolated enum CustomizableMarkerType: String, CaseIterable, Sendable {
    /// The pickup point.
    case tripPickupPoint
    /// The drop-off point.
    case tripDropoffPoint
    /// The vehicle. Its icon doesn't follow the vehicle's actual type.
    case tripVehicle
    /// A stop between pickup and drop-off.
    case intermediateDestination
    /// A marker of a type that the app does not know.
    case unknown
}

/// The style of a marker: the SDK's `GMTCMarkerStyleOptions`, as data.
nonisolated struct MarkerStyleOptions: Hashable, Sendable {
    /// The point of the icon that marks the location: `x` from 0 at the left to 1, `y` from 0 at the top to 1.
    nonisolated struct GroundAnchor: Hashable, Sendable {
        /// The share of the icon's width, from 0 to 1; one out of range becomes the nearest within, and NaN 0.5.
        var x: Double {
            didSet { x = Self.share(x) }
        }
        /// The share of the icon's height, from 0 to 1; one out of range becomes the nearest within, and NaN 0.5.
        var y: Double {
            didSet { y = Self.share(y) }
        }

        /// Creates an anchor; a share out of range becomes the nearest one within, and NaN 0.5.
        init(x: Double, y: Double) {
            self.x = Self.share(x)
            self.y = Self.share(y)
        }

        private static func share(_ number: Double) -> Double {
            number.isNaN ? 0.5 : min(max(number, 0), 1)
        }

        /// The center of the bottom edge, for pins: the SDK's `kGMSMarkerDefaultGroundAnchor`.
        static let bottom = Self(x: 0.5, y: 1)
        /// The center.
        static let center = Self(x: 0.5, y: 0.5)
    }

    /// The name of an icon; the code that draws the map provides its image.
    nonisolated struct Icon: RawRepresentable, Hashable, Sendable {
        /// The name.
        let rawValue: String

        /// A pin for the pickup point.
        static let pickup = Self(rawValue: "pickup")
        /// A pin for the drop-off point.
        static let dropoff = Self(rawValue: "dropoff")
        /// A disc for a stop.
        static let stop = Self(rawValue: "stop")
        /// A car, seen from above.
        static let car = Self(rawValue: "car")
        /// A van, seen from above.
        static let van = Self(rawValue: "van")
        /// The time until arrival, which ``ArrivalText`` writes; it is to be drawn again each minute.
        static let eta = Self(rawValue: "eta")
        /// A dot.
        static let dot = Self(rawValue: "dot")
    }

    /// The point of the icon that marks the location.
    var groundAnchor: GroundAnchor
    /// Whether the marker is drawn; false disables it.
    var isVisible: Bool
    /// The icon.
    var icon: Icon
    /// The name of a view that is shown instead of the icon; nil for the icon.
    var iconView: Icon?
    /// The order in which markers are drawn; those with a greater index cover others.
    ///
    /// It has 32 bits; an index out of range becomes the nearest one within.
    var zIndex: Int {
        didSet { zIndex = Int(Int32(clamping: zIndex)) }
    }
    /// Whether the marker lies flat on the map and turns with its heading, and does not face the viewer.
    var isFlat: Bool

    /// Creates the default options of a type.
    init(for type: CustomizableMarkerType) {
        isVisible = true
        (groundAnchor, icon, zIndex, isFlat) =
            switch type {
            case .tripPickupPoint: (.bottom, .pickup, 2, false)
            case .tripDropoffPoint: (.bottom, .dropoff, 2, false)
            case .intermediateDestination: (.center, .stop, 1, false)
            case .tripVehicle: (.center, .car, 3, true)
            case .unknown: (.center, .dot, 0, false)
            }
    }
}
