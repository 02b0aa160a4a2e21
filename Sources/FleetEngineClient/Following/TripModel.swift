public import Foundation
public import TokenProvider

/// Follows a trip, as the Consumer SDK's `GMTCTripModel` does: it polls Fleet Engine and tells its subscribers of changes.
///
/// Polling starts with the first subscriber, and stops with the last or when the trip is complete or canceled. One
/// request is under way at a time, and the next begins an interval after the end of the last. Fleet Engine sends routes
/// and traffic only when they have changed; the model keeps them.
///
/// After a server or network error the model recovers by itself. Errors that the app must resolve are reported with each
/// attempt, and attempts become slower.
///
/// Keep a reference to the model as long as it is followed. All methods may be called from any thread.
public final class TripModel: Sendable {
    /// The trip's ID.
    public let tripID: ResourceID
    /// The trip's name: `providers/{provider_id}/trips/{trip_id}`.
    public let name: String
    private let follower: Follower<Trip>

    init(client: EngineClient, trip: ResourceID, options: TripModelOptions) {
        tripID = trip
        name = "providers/\(client.provider)/trips/\(trip)"
        follower = Follower(client, options: options) { known in
            EngineRequest(
                path: ["trips", trip.rawValue],
                query: known?.deltaQuery ?? [],
                scope: .consumer(trip: trip)
            )
        } read: { message, known throws(FleetEngineError) in
            try Trip(message, known: known)
        }
    }

    /// The trip as Fleet Engine last described it; nil before the first response.
    public var trip: Trip? { follower.snapshot }

    /// Whether the trip is being followed.
    public var state: TripModelState { follower.modelState }

    /// Registers a subscriber, which is held weakly; registering it twice has no effect.
    ///
    /// A subscriber that comes later gets what is known at once. Its methods are called on the main actor.
    public func register(_ subscriber: any TripModelSubscriber) {
        follower.register(subscriber) { [weak self, weak subscriber] event, isSubscribed in
            for call in event.calls {
                // A call may unregister the subscriber, also from another subscriber's method.
                guard let self, let subscriber, isSubscribed() else { return }
                call(subscriber, self)
            }
        }
    }

    /// Unregisters a subscriber; called on the main actor, no method of it is called after that.
    ///
    /// It may be called in the subscriber's `deinit`.
    public func unregisterSubscriber(_ subscriber: any TripModelSubscriber) {
        follower.unregister(subscriber)
    }

    /// Requests the trip now, without waiting for the interval.
    ///
    /// It has no effect without a subscriber, while a request is under way, or when the trip has ended.
    public func refresh() {
        follower.refresh()
    }

    /// The updates of the trip from now on, beginning with what is known; each access is a subscriber of its own.
    ///
    /// The stream ends when the trip has ended. Following stops when its reader stops. A slow reader loses the oldest of
    /// more than 256 events.
    public var updates: AsyncStream<TripModelEvent> {
        follower.stream(of: self) { TripModelEvent($0) }
    }
}

/// Whether a trip is being followed; the raw values are those of Google's SDK.
#if hasAttribute(nonexhaustive)
@nonexhaustive
#endif
public enum TripModelState: Int, Sendable {
    /// The trip is not followed: there is no subscriber yet, or the trip has ended.
    case inactive = 0
    /// The trip is followed.
    case active = 1
}

/// Settings of a model.
public struct TripModelOptions: Hashable, Sendable {
    /// The pause between the end of one request and the start of the next, in seconds: 5, which is also the minimum.
    ///
    /// Zero turns polling off: requests are made for the first subscriber and with ``TripModel/refresh()``.
    public var autoRefreshTimeInterval: TimeInterval

    /// Creates settings.
    public init(autoRefreshTimeInterval: TimeInterval = 5) {
        self.autoRefreshTimeInterval = autoRefreshTimeInterval
    }
}

/// An update of a trip.
#if hasAttribute(nonexhaustive)
@nonexhaustive
#endif
public enum TripModelEvent: Sendable {
    /// Following has started or stopped.
    case state(TripModelState)
    /// The trip has changed in these fields; for the first update, the fields that the trip has.
    case updated(Trip, TripPropertyFields)
    /// A request failed.
    case failed(FleetEngineError)
    /// A request succeeded after one or more had failed, whether or not the trip has changed.
    case recovered

    init(_ event: FollowEvent<Trip>) {
        self =
            switch event {
            case .state(let state): .state(state)
            case .updated(let trip, let known):
                .updated(trip, .differentProperties(between: known, and: trip))
            case .failed(let error): .failed(error)
            case .recovered: .recovered
            }
    }
}

extension Trip: Followed {
    var isTerminal: Bool { tripStatus.isTerminal }

    func differs(from known: Trip?) -> Bool {
        guard let known else { return true }
        return etaToNextWaypoint != known.etaToNextWaypoint
            || !TripPropertyFields.differentProperties(between: known, and: self).isEmpty
    }
}
