/// Follows a trip, as the Consumer SDK's `GMTCTripModel` does: it polls Fleet Engine and reports changes.
///
/// Polling starts with the first reader of ``updates``, and stops with the last or when the trip is complete or canceled.
/// One request is under way at a time, and the next begins an interval after the end of the last. Fleet Engine sends routes
/// and traffic only when they have changed; the model keeps them.
///
/// After a server or network error the model recovers by itself. Errors that the app must resolve are reported with each
/// attempt, and attempts become slower. All methods may be called from any thread.
public final class TripModel: Sendable {
    /// The trip's ID.
    public let tripID: String
    private let follower: Follower<Trip>

    init(client: EngineClient, trip: String, interval: Seconds) {
        tripID = trip
        follower = Follower(client, interval: interval) { known in
            EngineRequest(
                path: ["trips", trip],
                query: known?.deltaQuery ?? [],
                purpose: .trip(trip)
            )
        } read: { message, known throws(FleetEngineError) in
            try Trip(message, known: known)
        }
    }

    /// The trip as Fleet Engine last described it; nil before the first response.
    public var trip: Trip? { follower.snapshot }

    /// Whether the trip is being followed.
    public var state: TripModelState { follower.modelState }

    /// Requests the trip now, without waiting for the interval.
    ///
    /// It has no effect without a reader, while a request is under way, or when the trip has ended.
    public func refresh() {
        follower.refresh()
    }

    /// The updates of the trip from now on, beginning with what is known; each access is a reader of its own.
    ///
    /// The stream ends when the trip has ended. Following stops when its reader stops. A slow reader loses the oldest of
    /// more than 256 events.
    public var updates: AsyncStream<ModelEvent<Trip>> { follower.stream(of: self) }
}

/// Whether a trip is being followed; the raw values are those of Google's SDK.
#if hasAttribute(nonexhaustive)
@nonexhaustive
#endif
public enum TripModelState: Int, Sendable {
    /// The trip is not followed: there is no reader yet, or the trip has ended.
    case inactive = 0
    /// The trip is followed.
    case active = 1
}

/// An update of a trip or shipment.
#if hasAttribute(nonexhaustive)
@nonexhaustive
#endif
public enum ModelEvent<Snapshot: Sendable>: Sendable {
    /// Following has started or stopped.
    case state(TripModelState)
    /// The trip or shipment has changed.
    case updated(Snapshot)
    /// A request failed; following continues.
    case failed(FleetEngineError)
    /// A request succeeded after one or more had failed, whether or not anything has changed.
    case recovered
}

extension Trip: Followed {
    var isTerminal: Bool { tripStatus.isTerminal }
}
