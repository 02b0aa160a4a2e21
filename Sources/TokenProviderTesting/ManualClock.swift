public import Foundation
package import TokenProvider

/// A clock that moves only when a test advances it: the clocks and time limits of a provider.
///
/// ```swift
/// let clock = ManualClock()
/// let script = ScriptedTokens()
/// let tokens = FleetTokenProvider(clock: clock, fetch: script.fetch)
/// let first = try await tokens.token(for: .trip("trip-1"))
/// clock.advance(by: 3600)
/// let second = try await tokens.token(for: .trip("trip-1"))
/// ```
public final class ManualClock: Sendable {
    private struct Timer: Sendable {
        let due: TimeInterval
        let action: @Sendable () -> Void
    }

    private struct State: Sendable {
        var continuous: TimeInterval = 0
        var wall: TimeInterval
        var timers: [Int: Timer] = [:]
        var lastID = 0
        var sleepers: Set<Int> = []
        /// Callers that wait until a number of tasks sleep.
        var observers = CountWaiters()

        /// Advances to the next timer that is due by a time, and removes it.
        mutating func next(by end: TimeInterval) -> Timer? {
            let first = timers.min { ($0.value.due, $0.key) < ($1.value.due, $1.key) }
            guard let (id, timer) = first, timer.due <= end else { return nil }
            timers[id] = nil
            sleepers.remove(id)
            move(to: timer.due)
            return timer
        }

        mutating func move(to moment: TimeInterval) {
            wall += max(0, moment - continuous)
            continuous = max(continuous, moment)
        }
    }

    private let state: Lock<State>

    /// Creates a clock that is stopped at a date.
    public init(now: Date = Date(timeIntervalSince1970: 1_800_000_000)) {
        state = Lock(State(wall: now.timeIntervalSince1970))
    }

    /// The time on the device's clock.
    public var now: Date { Date(timeIntervalSince1970: state.withLock { $0.wall }) }

    /// Advances the clock by a number of seconds; time limits and sleeps that end meanwhile do so in order, before this
    /// method returns.
    ///
    /// Tasks that wait for them continue asynchronously: wait for their results.
    public func advance(by seconds: TimeInterval) {
        let end = state.withLock { $0.continuous + max(0, seconds) }
        while let timer = state.withLock({ $0.next(by: end) }) { timer.action() }
        state.withLock { $0.move(to: end) }
    }

    /// Sets the device's clock forward, or back, as a user does; no time passes.
    public func setDeviceClock(by seconds: TimeInterval) {
        state.withLock { $0.wall += seconds }
    }

    /// Waits until a number of seconds have passed on this clock.
    ///
    /// - Throws: `CancellationError` if the task is cancelled.
    public func sleep(for seconds: TimeInterval) async throws {
        let sleeper = Promise<Void>()
        let id = add(seconds, isSleep: true) { sleeper.resolve(.success(())) }
        defer { remove(id) }
        try await sleeper.value()
    }

    /// Waits until a number of tasks sleep on this clock, such as fetches that take a while.
    ///
    /// Advance the clock only after that: a task that begins to sleep later sleeps until a later time.
    ///
    /// - Throws: `CancellationError` if the task is cancelled.
    public func waitForSleepers(_ count: Int) async throws {
        try Task.checkCancellation()
        let (waiter, met) = state.withLock { ($0.observers.add(count), $0.observers.take(upTo: $0.sleepers.count)) }
        for observer in met { observer.resolve(.success(())) }
        try await waiter.value()
    }

    private func add(_ seconds: TimeInterval, isSleep: Bool, _ action: @escaping @Sendable () -> Void) -> Int {
        let (id, met) = state.withLock { state in
            state.lastID += 1
            state.timers[state.lastID] = Timer(due: state.continuous + max(0, seconds), action: action)
            if isSleep { state.sleepers.insert(state.lastID) }
            return (state.lastID, state.observers.take(upTo: state.sleepers.count))
        }
        for observer in met { observer.resolve(.success(())) }
        return id
    }

    private func remove(_ id: Int) {
        state.withLock { state in
            state.timers[id] = nil
            state.sleepers.remove(id)
        }
    }

    /// Returns a provider's clock with this time and a fixed random number.
    package func providerClock(random: Double) -> ProviderClock {
        ProviderClock(
            now: { [state] in state.withLock { Moment(continuous: $0.continuous, wall: $0.wall) } },
            timer: { [self] seconds, action in
                let id = add(seconds, isSleep: false, action)
                return { [self] in remove(id) }
            },
            random: { random }
        )
    }
}
