import Timing
import TokenProvider

/// Follows a trip or shipment: ``FollowState`` behind a lock, with its tasks and timers.
final class Follower<Snapshot: Followed>: Sendable {
    typealias State = FollowState<Snapshot>
    typealias Subscribers = Listeners<FollowEvent<Snapshot>>

    private let state: Lock<State>
    let subscribers = Subscribers()
    /// The request or timer that is under way.
    private let current = CancellationSlot()
    private let environment: ProviderEnvironment
    private let fetch: @Sendable (Snapshot?) async throws(FleetEngineError) -> Snapshot

    init(
        _ policy: PollPolicy,
        environment: ProviderEnvironment,
        fetch: @escaping @Sendable (Snapshot?) async throws(FleetEngineError) -> Snapshot
    ) {
        state = Lock(FollowState(policy))
        self.environment = environment
        self.fetch = fetch
    }

    /// Creates a follower that sends requests to Fleet Engine.
    ///
    /// - Parameters:
    ///   - client: The client.
    ///   - options: The settings of the model.
    ///   - request: Returns the request for what has changed since a known state.
    ///   - read: Reads the response to it.
    convenience init(
        _ client: EngineClient,
        options: TripModelOptions,
        request: @escaping @Sendable (Snapshot?) -> EngineRequest,
        read: @escaping @Sendable (ProtoObject, Snapshot?) throws(FleetEngineError) -> Snapshot
    ) {
        let policy = PollPolicy(interval: options.autoRefreshTimeInterval)
        self.init(policy, environment: client.environment) { known throws(FleetEngineError) in
            try read(ProtoObject(body: try await client.send(request(known))), known)
        }
    }

    var snapshot: Snapshot? { state.withLock { $0.snapshot } }
    var modelState: TripModelState { state.withLock { $0.modelState } }

    /// Subscribes an object, unless it subscribes already; `call` is that of ``Listeners/listener(for:as:call:)``.
    func register(
        _ object: any AnyObject & Sendable,
        call: @escaping @MainActor @Sendable (FollowEvent<Snapshot>, () -> Bool) -> Void
    ) {
        let id = subscribers.nextID()
        subscribe(subscribers.listener(for: object, as: id, call: call), as: id)
    }

    func unregister(_ object: any AnyObject & Sendable) {
        if let id = subscribers.id(of: object) { unsubscribe(id) }
    }

    /// Returns a stream of events, which subscribes until its reader stops, and ends when following does.
    ///
    /// Meanwhile the stream keeps the model alive: a loop over a model's updates may be the only use of the model.
    func stream<Event>(
        of model: some AnyObject & Sendable,
        _ transform: @escaping @Sendable (FollowEvent<Snapshot>) -> Event
    ) -> AsyncStream<Event> {
        subscribers.stream(
            { (transform($0), $0.isLast) },
            add: { subscribe($0, as: $1) },
            remove: { [self] id in withExtendedLifetime(model) { unsubscribe(id) } }
        )
    }

    func subscribe(_ subscriber: Subscribers.Listener, as id: UInt64) {
        removeReleased()
        handle(.subscribe(id)) { subscribers.add(subscriber, as: id) }
    }

    func unsubscribe(_ id: UInt64) {
        handle(.unsubscribe(id)) { subscribers.remove(id) }
    }

    func refresh() {
        handle(.refresh)
    }

    private func removeReleased() {
        for id in subscribers.released() { unsubscribe(id) }
    }

    /// Passes an input to the state machine, if it counts, and carries out the effects.
    private func handle(_ input: State.Input, if counts: () -> Bool = { true }) {
        let random = environment.random()
        let effects = state.withLock { state -> [State.Effect] in
            guard counts() else { return [] }
            let effects = state.handle(input, random: random)
            for case .emit(let event, let ids) in effects { subscribers.post(event, to: ids) }
            return effects
        }
        for effect in effects {
            switch effect {
            case .emit: break
            case .poll(let number, let known): poll(number, known)
            case .wait(let number, let pause):
                current.keep(number, environment.scheduler.schedule(pause) { [weak self] in self?.wake(number) })
            case .cancel(let number): current.cancel(upTo: number)
            }
        }
        subscribers.deliver()
    }

    private func poll(_ number: UInt64, _ known: Snapshot?) {
        let task = Task { [weak self, fetch] in
            let result: Result<Snapshot, FleetEngineError>
            do throws(FleetEngineError) {
                result = .success(try await fetch(known))
            } catch {
                result = .failure(error)
            }
            self?.handle(.answer(number, result))
        }
        current.keep(number) { task.cancel() }
    }

    private func wake(_ number: UInt64) {
        removeReleased()
        handle(.wake(number))
    }
}
