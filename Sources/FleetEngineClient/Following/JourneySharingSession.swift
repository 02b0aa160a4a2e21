/// Shows a trip in the app, as the Consumer SDK's `GMTCJourneySharingSession` on its map view does, without the map.
///
/// A view draws ``trip``. ``hide()``, or releasing the session, stops following, as the guides' `cancelCurrentActiveTrip`
/// does.
@MainActor
public final class JourneySharingSession: TripModelSubscriber {
    /// The model of the trip.
    public let tripModel: TripModel
    /// Whether the trip is shown.
    public private(set) var isShown = false
    /// The trip; nil before the first response, and when it is hidden.
    public private(set) var trip: Trip?
    /// The error of the last request; nil if it succeeded.
    public private(set) var error: FleetEngineError?
    /// Whether the trip is being followed.
    public private(set) var state = TripModelState.inactive
    private let onChange: (@MainActor (JourneySharingSession) -> Void)?

    /// Creates a session that is not yet shown.
    ///
    /// - Parameters:
    ///   - tripModel: The model of the trip.
    ///   - onChange: Called after each change of the session's properties.
    public init(tripModel: TripModel, onChange: (@MainActor (JourneySharingSession) -> Void)? = nil) {
        self.tripModel = tripModel
        self.onChange = onChange
    }

    deinit {
        tripModel.unregisterSubscriber(self)
    }

    /// Shows the trip.
    public func show() {
        guard !isShown else { return }
        isShown = true
        tripModel.register(self)
    }

    /// Hides the trip and stops following it for this session.
    public func hide() {
        tripModel.unregisterSubscriber(self)
        isShown = false
        trip = nil
        error = nil
        state = .inactive
        onChange?(self)
    }

    /// Keeps the state.
    public func tripModel(_ tripModel: TripModel, didUpdate sessionState: TripModelState) {
        state = sessionState
        onChange?(self)
    }

    /// Keeps the trip.
    public func tripModel(
        _ tripModel: TripModel,
        didUpdate trip: Trip?,
        updatedPropertyFields: TripPropertyFields
    ) {
        self.trip = trip
        error = nil
        onChange?(self)
    }

    /// Clears the error.
    public func tripModelDidRecover(_ tripModel: TripModel) {
        error = nil
        onChange?(self)
    }

    /// Keeps the error.
    public func tripModel(_ tripModel: TripModel, didFailUpdateTripWithError error: (any Error)?) {
        self.error = error as? FleetEngineError
        onChange?(self)
    }
}
