import ExpiringCache
public import Foundation
package import TokenProvider

/// Time that passes only when a test says so: the clocks and time-outs of a provider.
///
/// ```swift
/// let clock = ManualClock()
/// let source = ScriptedTokenSource()
/// let tokens = CachingTokenProvider(source: source, clock: clock)
/// let first = try await tokens.token(for: .server)
/// clock.advance(by: 3600)
/// let second = try await tokens.token(for: .server)
/// ```
public final class ManualClock: Sendable {
    private struct Timer: Sendable {
        let due: Int64
        let action: @Sendable () -> Void
    }

    private struct State: Sendable {
        var continuous: Int64 = 0
        var wall: Int64
        var timers: [Int: Timer] = [:]
        var lastID = 0
        var sleepers: Set<Int> = []
        /// Who waits until so many tasks sleep.
        var observers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []

        /// Moves to the next timer that is due by then, and takes it.
        mutating func next(by end: Int64) -> Timer? {
            let first = timers.min { ($0.value.due, $0.key) < ($1.value.due, $1.key) }
            guard let (id, timer) = first, timer.due <= end else { return nil }
            timers[id] = nil
            sleepers.remove(id)
            move(to: timer.due)
            return timer
        }

        mutating func move(to moment: Int64) {
            wall += max(0, moment - continuous)
            continuous = max(continuous, moment)
        }
    }

    private let state: Lock<State>

    /// Creates a clock that stands still at a date.
    public init(now: Date = Date(timeIntervalSince1970: 1_800_000_000)) {
        state = Lock(State(wall: Int64(now.timeIntervalSince1970 * 1e9)))
    }

    /// What the device's clock shows.
    public var now: Date { Date(timeIntervalSince1970: Double(state.withLock { $0.wall }) / 1e9) }

    /// Lets seconds pass; time-outs and sleeps that end meanwhile do so in their order, before this returns.
    ///
    /// Tasks that wait for them go on by themselves, as tasks do: wait for what they bring.
    public func advance(by seconds: TimeInterval) {
        let end = state.withLock { $0.continuous + Int64(max(0, seconds) * 1e9) }
        while let timer = state.withLock({ $0.next(by: end) }) { timer.action() }
        state.withLock { $0.move(to: end) }
    }

    /// Sets the device's clock forward, or back, as a user does; no time passes.
    public func setDeviceClock(by seconds: TimeInterval) {
        state.withLock { $0.wall += Int64(seconds * 1e9) }
    }

    /// Waits until so many seconds have passed by this clock.
    ///
    /// - Throws: `CancellationError` when the task is cancelled.
    public func sleep(for seconds: TimeInterval) async throws {
        let sleeper = Sleeper()
        let id = add(seconds, isSleep: true) { sleeper.end(.success(())) }
        defer { remove(id) }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { sleeper.begin($0) }
        } onCancel: {
            sleeper.end(.failure(CancellationError()))
        }
    }

    /// Waits until so many tasks sleep by this clock, such as fetches of a source that takes its time.
    ///
    /// Advance the clock after that, and not before: a task that begins to sleep later sleeps longer.
    public func waitForSleepers(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let isMet = state.withLock { state in
                guard state.sleepers.count < count else { return true }
                state.observers.append((count, continuation))
                return false
            }
            if isMet { continuation.resume() }
        }
    }

    private func add(_ seconds: TimeInterval, isSleep: Bool, _ action: @escaping @Sendable () -> Void) -> Int {
        let (id, met) = state.withLock { state in
            state.lastID += 1
            let delay = Int64(min(max(0, seconds), 1e9) * 1e9)
            state.timers[state.lastID] = Timer(due: state.continuous + delay, action: action)
            if isSleep { state.sleepers.insert(state.lastID) }
            let count = state.sleepers.count
            let met = state.observers.filter { $0.count <= count }.map(\.continuation)
            state.observers.removeAll { $0.count <= count }
            return (state.lastID, met)
        }
        for observer in met { observer.resume() }
        return id
    }

    private func remove(_ id: Int) {
        state.withLock { state in
            state.timers[id] = nil
            state.sleepers.remove(id)
        }
    }

    /// What a provider takes from the world, with chance that always draws the same.
    package func environment(random: Double) -> ProviderEnvironment {
        ProviderEnvironment(
            clock: CacheClock(
                continuous: { [state] in state.withLock { $0.continuous } },
                wall: { [state] in state.withLock { $0.wall } }
            ),
            scheduler: CacheScheduler { [self] delay, action in
                let id = add(delay, isSleep: false, action)
                return { [self] in remove(id) }
            },
            random: { random }
        )
    }
}

/// A task that sleeps, which may be woken before it has begun.
private final class Sleeper: Sendable {
    private struct State {
        var continuation: CheckedContinuation<Void, any Error>?
        var result: Result<Void, any Error>?
    }

    private let state = Lock(State())

    func begin(_ continuation: CheckedContinuation<Void, any Error>) {
        let result = state.withLock { state in
            if state.result == nil { state.continuation = continuation }
            return state.result
        }
        if let result { continuation.resume(with: result) }
    }

    func end(_ result: Result<Void, any Error>) {
        let continuation = state.withLock { state -> CheckedContinuation<Void, any Error>? in
            guard state.result == nil else { return nil }
            state.result = result
            defer { state.continuation = nil }
            return state.continuation
        }
        continuation?.resume(with: result)
    }
}
