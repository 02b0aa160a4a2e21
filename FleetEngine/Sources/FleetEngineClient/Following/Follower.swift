import Synchronization

/// Follows a trip or shipment for as long as its events are read.
///
/// One task sends the requests, one after the other. The last reader ends it, and so does the last state of a trip.
final class Follower<Snapshot: Followed>: Sendable {
    typealias Event = ModelEvent<Snapshot>

    private enum Phase: Sendable {
        case inactive
        case polling
        /// The task waits for the next request, or has ended, because with an interval of 0 only `refresh()` sends requests.
        case waiting
    }

    private struct State: Sendable {
        var snapshot: Snapshot?
        var readers = Readers<Event>()
        var phase = Phase.inactive
        var task: Task<Void, Never>?
        /// The number of the task: what a former task does is ignored.
        var number = 0
        var failures = 0
    }

    private let state = Mutex(State())
    private let policy: PollPolicy
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
        policy = PollPolicy(interval: interval)
        configuration = client.configuration
        fetch = { known throws(FleetEngineError) in
            try read(ProtoObject(body: try await client.send(request(known))), known)
        }
    }

    var snapshot: Snapshot? { state.withLock { $0.snapshot } }
    var modelState: TripModelState { state.withLock { $0.phase == .inactive ? .inactive : .active } }

    /// Returns a stream of events, which ends when its reader stops, and when following does.
    ///
    /// Meanwhile the stream keeps the model alive: a loop over a model's updates may be the only use of the model.
    func stream(of model: some AnyObject & Sendable) -> AsyncStream<Event> {
        AsyncStream(bufferingPolicy: .bufferingNewest(256)) { continuation in
            state.withLock { state in
                let known = state.snapshot.map { [Event.updated($0)] } ?? []
                let isOver = state.snapshot?.isTerminal == true
                let events = isOver ? known + [.state(.inactive)] : [.state(.active)] + known
                state.readers.add(continuation, events: events) { [self] id in
                    withExtendedLifetime(model) { remove(id) }
                }
                if isOver {
                    state.readers.finish()
                } else if state.phase == .inactive {
                    poll(&state)
                }
            }
        }
    }

    private func remove(_ id: Int) {
        let task = state.withLock { state -> Task<Void, Never>? in
            state.readers.remove(id)
            guard state.readers.isEmpty, state.phase != .inactive else { return nil }
            state.phase = .inactive
            state.failures = 0
            state.number += 1
            return state.task
        }
        task?.cancel()
    }

    /// Sends the next request now, unless one is under way.
    func refresh() {
        let former = state.withLock { state -> Task<Void, Never>? in
            guard state.phase == .waiting else { return nil }
            let former = state.task
            poll(&state)
            return former
        }
        former?.cancel()
    }

    /// Starts a task that sends requests.
    private func poll(_ state: inout State) {
        state.phase = .polling
        state.number += 1
        state.task = Task { [number = state.number] in await run(number) }
    }

    private func run(_ number: Int) async {
        repeat {
            let known = snapshot
            let result: Result<Snapshot, FleetEngineError>
            do throws(FleetEngineError) {
                result = .success(try await fetch(known))
            } catch {
                result = .failure(error)
            }
            guard let pause = take(result, of: number) else { return }
            guard (try? await configuration.sleep(pause)) != nil else { return }
        } while goesOn(number)
    }

    /// Takes over the result of a request, and tells the readers.
    ///
    /// - Returns: The pause before the next request; nil if none follows.
    private func take(_ result: Result<Snapshot, FleetEngineError>, of number: Int) -> Seconds? {
        let random = configuration.random()
        return state.withLock { state -> Seconds? in
            guard number == state.number else { return nil }
            state.phase = .waiting
            switch result {
            case .success(let new):
                if state.failures > 0 { state.readers.report(.recovered) }
                if new != state.snapshot { state.readers.report(.updated(new)) }
                state.failures = 0
                state.snapshot = new
                guard new.isTerminal else { return policy.interval > 0 ? policy.interval : nil }
                state.phase = .inactive
                state.readers.report(.state(.inactive))
                state.readers.finish()
                return nil
            case .failure(let error):
                state.failures += 1
                state.readers.report(.failed(error))
                return policy.pause(after: error, failures: state.failures, random: random)
            }
        }
    }

    private func goesOn(_ number: Int) -> Bool {
        state.withLock { state in
            guard number == state.number else { return false }
            state.phase = .polling
            return true
        }
    }
}
