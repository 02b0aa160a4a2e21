import ExpiringCache
import Foundation
import TokenProvider

/// Follows a trip or shipment: ``FollowState`` behind a lock, with its tasks and timers.
///
/// Subscribers get their events in the order in which they happened, outside the lock, and none after they were removed.
final class Follower<Snapshot: Followed>: Sendable {
    typealias State = FollowState<Snapshot>

    struct Receiver: Sendable {
        /// The object that subscribes, which is held weakly by the functions; nil for a stream.
        var object: ObjectIdentifier?
        /// Whether the object still exists.
        var isAlive: @Sendable () -> Bool
        var receive: @Sendable (FollowEvent<Snapshot>) -> Void
    }

    private struct Core: Sendable {
        var state: State
        var receivers: [UInt64: Receiver] = [:]
        var lastID: UInt64 = 0
        /// Events that are still to be delivered.
        var outbox: [(event: FollowEvent<Snapshot>, receivers: [UInt64])] = []
        var isDelivering = false
    }

    private let core: Lock<Core>
    /// The request or timer that is under way.
    private let current = CancellationSlot()
    private let environment: ProviderEnvironment
    private let fetch: @Sendable (Snapshot?) async throws(FleetEngineError) -> Snapshot

    init(
        _ policy: PollPolicy,
        environment: ProviderEnvironment,
        fetch: @escaping @Sendable (Snapshot?) async throws(FleetEngineError) -> Snapshot
    ) {
        core = Lock(Core(state: FollowState(policy)))
        self.environment = environment
        self.fetch = fetch
    }

    var snapshot: Snapshot? { core.withLock { $0.state.snapshot } }
    var modelState: TripModelState { core.withLock { $0.state.modelState } }

    /// Adds a receiver.
    ///
    /// - Returns: The ID; nil if the receiver's object subscribes already.
    func subscribe(_ receiver: (UInt64) -> Receiver) -> UInt64? {
        // An object that was released without unregistering leaves its address to another one.
        removeReleased()
        let (id, effects) = core.withLock { core -> (UInt64?, [State.Effect]) in
            core.lastID += 1
            let receiver = receiver(core.lastID)
            let isKnown = core.receivers.values.contains { $0.object != nil && $0.object == receiver.object }
            guard !isKnown else { return (nil, []) }
            core.receivers[core.lastID] = receiver
            return (core.lastID, Self.post(core.state.handle(.subscribe(core.lastID), random: 0), to: &core))
        }
        run(effects)
        return id
    }

    /// Removes the receivers whose objects were released.
    ///
    /// They are asked outside the lock: the question can release an object, whose `deinit` may unregister it.
    private func removeReleased() {
        for (id, receiver) in core.withLock({ $0.receivers }) where !receiver.isAlive() { unsubscribe(id) }
    }

    func unsubscribe(_ id: UInt64) {
        run(core.withLock { Self.post(Self.remove(id, from: &$0), to: &$0) })
    }

    func unsubscribe(_ object: ObjectIdentifier) {
        let id = core.withLock { $0.receivers.first { $0.value.object == object }?.key }
        if let id { unsubscribe(id) }
    }

    func isSubscribed(_ id: UInt64) -> Bool { core.withLock { $0.receivers[id] != nil } }

    /// Returns a stream of events, which subscribes until its reader stops, and ends when following does.
    ///
    /// Meanwhile the stream keeps the model alive: a loop over a model's updates may be the only use of the model.
    func stream<Event>(
        of model: some AnyObject & Sendable,
        _ transform: @escaping @Sendable (FollowEvent<Snapshot>) -> Event
    ) -> AsyncStream<Event> {
        AsyncStream(bufferingPolicy: .bufferingNewest(256)) { continuation in
            let id = subscribe { _ in
                Receiver(
                    isAlive: { true },
                    receive: { event in
                        continuation.yield(transform(event))
                        if case .state(.inactive) = event { continuation.finish() }
                    }
                )
            }
            continuation.onTermination = { [self] _ in
                if let id { withExtendedLifetime(model) { unsubscribe(id) } }
            }
        }
    }

    func refresh() {
        handle(.refresh)
    }

    private func handle(_ input: State.Input) {
        let random = environment.random()
        run(core.withLock { Self.post($0.state.handle(input, random: random), to: &$0) })
    }

    private static func remove(_ id: UInt64, from core: inout Core) -> [State.Effect] {
        guard core.receivers.removeValue(forKey: id) != nil else { return [] }
        return core.state.handle(.unsubscribe(id), random: 0)
    }

    /// Queues the events among the effects.
    ///
    /// - Returns: The other effects.
    private static func post(_ effects: [State.Effect], to core: inout Core) -> [State.Effect] {
        effects.filter { effect in
            guard case .emit(let event, let receivers) = effect else { return true }
            core.outbox.append((event, receivers))
            return false
        }
    }

    private func run(_ effects: [State.Effect]) {
        for effect in effects {
            switch effect {
            case .emit: break
            case .poll(let number, let known): poll(number, known)
            case .wait(let number, let pause):
                current.keep(number, environment.scheduler.schedule(pause) { [weak self] in self?.wake(number) })
            case .cancel(let number): current.cancel(upTo: number)
            }
        }
        deliver()
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

    /// Delivers the queued events, unless another thread is doing so.
    private func deliver() {
        var isFirst = true
        while let (event, receivers) = next(isFirst: isFirst) {
            isFirst = false
            for receiver in receivers { receiver.receive(event) }
        }
    }

    private func next(isFirst: Bool) -> (FollowEvent<Snapshot>, [Receiver])? {
        core.withLock { core in
            guard !isFirst || !core.isDelivering else { return nil }
            core.isDelivering = !core.outbox.isEmpty
            guard core.isDelivering else { return nil }
            let (event, ids) = core.outbox.removeFirst()
            return (event, ids.compactMap { core.receivers[$0] })
        }
    }
}

/// Runs a function on the main actor, after those that were passed before.
func onMain(_ function: @escaping @MainActor @Sendable () -> Void) {
    DispatchQueue.main.async { MainActor.assumeIsolated(function) }
}
