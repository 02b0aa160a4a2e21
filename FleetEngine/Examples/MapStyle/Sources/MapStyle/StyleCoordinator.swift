/// The styles of a map's markers and routes: the SDK's `GMTCConsumerMapStyleCoordinator`, as data.
///
/// It draws nothing. An app keeps its style here, tests it, and hands it to Google's map with `ConsumerMapStyle`:
///
/// ```swift
/// var style = StyleCoordinator()
/// var options = PolylineStyleOptions(for: .activeRoute)
/// options.isTrafficEnabled = true
/// options.setTrafficColor(for: .slow, color: .yellow)
/// style.setPolylineStyleOptions(options, polylineType: .activeRoute)
/// ```
nonisolated struct StyleCoordinator: Hashable, Sendable {
    private var markers: [CustomizableMarkerType: MarkerStyleOptions] = [:]
    private var polylines: [PolylineType: PolylineStyleOptions] = [:]

    /// Creates a coordinator with the default styles.
    init() {}

    /// Returns the options of a marker: those that were set, or the defaults.
    func markerStyleOptions(for type: CustomizableMarkerType) -> MarkerStyleOptions {
        markers[type] ?? MarkerStyleOptions(for: type)
    }

    /// Sets the options of a marker; nil restores the defaults.
    mutating func setMarkerStyleOptions(_ options: MarkerStyleOptions?, markerType: CustomizableMarkerType) {
        markers[markerType] = options
    }

    /// Returns the options of a route: those that were set, or the defaults.
    func polylineStyleOptions(for type: PolylineType) -> PolylineStyleOptions {
        polylines[type] ?? PolylineStyleOptions(for: type)
    }

    /// Sets the options of a route; nil restores the defaults.
    mutating func setPolylineStyleOptions(_ options: PolylineStyleOptions?, polylineType: PolylineType) {
        polylines[polylineType] = options
    }
}
