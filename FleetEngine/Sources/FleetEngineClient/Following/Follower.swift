import Synchronization

/// Follows a trip or shipment: ``FollowState`` behind a lock, with its streams, tasks and timers.
final class Follower<Snapshot: Followed>: Sendable {
    typealias Event = ModelEvent<Snapshot>

    private struct State: Sendable {
        var machine: FollowState<Snapshot>
        var streams: [UInt64: AsyncStream<Event>.Continuation] = [:]
        var lastID: UInt64 = 0
    }

    private let state: Mutex<State>
    /// Events that are still to be sent to these streams.
    private let outbox = Outbox<(event: Event, ids: [UInt64])>()
    /// The request or timer that is under way.
    private let current = CancellationSlot()
    private let configuration: FleetEngine.Configuration
    private let fetch: @Sendable (Snapshot?) async throws(FleetEngineError) -> Snapshot

    /// Creates a follower from a function that returns the request for what has changed since a known state, and one that reads
    /// the response to it.
    init(
        _ client: EngineClient,
        interval: Seconds,
        request: @escaping @Sendable (Snapshot?) -> EngineRequest,
        read: @escaping @Sendable (ProtoObject, Snapshot?) throws(FleetEngineError) -> Snapshot
    ) {
        state = Mutex(State(machine: FollowState(PollPolicy(interval: interval))))
        configuration = client.configuration
        fetch = { known throws(FleetEngineError) in
            try read(ProtoObject(body: try await client.send(request(known))), known)
        }
    }

    var snapshot: Snapshot? { state.withLock { $0.machine.snapshot } }
    var modelState: TripModelState { state.withLock { $0.machine.modelState } }

    /// Returns a stream of events, which subscribes until its reader stops, and ends when following does.
    ///
    /// Meanwhile the stream keeps the model alive: a loop over a model's updates may be the only use of the model.
    func stream(of model: some AnyObject & Sendable) -> AsyncStream<Event> {
        AsyncStream(bufferingPolicy: .bufferingNewest(256)) { continuation in
            let id = state.withLock { state in
                state.lastID += 1
                state.streams[state.lastID] = continuation
                return state.lastID
            }
            // Before it subscribes: the first event may be the last.
            continuation.onTermination = { [self] _ in
                withExtendedLifetime(model) { handle(.unsubscribe(id)) }
                _ = state.withLock { $0.streams.removeValue(forKey: id) }
            }
            handle(.subscribe(id))
        }
    }

    func refresh() {
        handle(.refresh)
    }

    /// Passes an input to the state machine and carries out the effects.
    private func handle(_ input: FollowState<Snapshot>.Input) {
        let random = configuration.random()
        let effects = state.withLock { state in
            let effects = state.machine.handle(input, random: random)
            for case .emit(let event, let ids) in effects { outbox.post((event, ids)) }
            return effects
        }
        for effect in effects {
            switch effect {
            case .emit: break
            case .poll(let number, let known): poll(number, known)
            case .wait(let number, let pause):
                current.keep(number, configuration.timer(pause) { [weak self] in self?.handle(.wake(number)) })
            case .cancel(let number): current.cancel(upTo: number)
            }
        }
        // A reader that sees an event finds the next timer set.
        outbox.deliver { event, ids in
            for stream in state.withLock({ state in ids.compactMap { state.streams[$0] } }) {
                stream.yield(event)
                if case .state(.inactive) = event { stream.finish() }
            }
        }
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
}
