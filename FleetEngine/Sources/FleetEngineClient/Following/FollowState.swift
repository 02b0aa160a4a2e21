/// What is followed by polling: a trip or a shipment.
protocol Followed: Equatable, Sendable {
    /// Whether nothing changes any more.
    var isTerminal: Bool { get }
}

/// The state machine of following: who subscribes, when the next request is made, and who is told what.
///
/// It has no clock, tasks or locks. The owner reports inputs with ``handle(_:random:)`` and carries out the effects.
///
/// - Following is inactive until the first subscriber comes, and again when the last has gone or the trip has ended.
/// - At most one request or timer is under way. Both have a number, and only the latest number counts.
struct FollowState<Snapshot: Followed>: Sendable {
    enum Input: Sendable {
        case subscribe(UInt64)
        case unsubscribe(UInt64)
        /// The app requests a poll now.
        case refresh
        /// A timer has ended.
        case wake(UInt64)
        /// A request has ended.
        case answer(UInt64, Result<Snapshot, FleetEngineError>)
    }

    enum Effect: Sendable {
        case emit(ModelEvent<Snapshot>, to: [UInt64])
        /// Make a request; the known state limits it to what has changed.
        case poll(UInt64, known: Snapshot?)
        case wait(UInt64, Seconds)
        /// End the request or timer with this number.
        case cancel(UInt64)
    }

    private enum Phase: Sendable {
        case inactive
        case polling
        case waiting
        /// Requests are made on demand only.
        case idle
    }

    private let policy: PollPolicy
    private(set) var snapshot: Snapshot?
    /// In the order in which they came.
    private(set) var subscribers: [UInt64] = []
    private var phase = Phase.inactive
    private var number: UInt64 = 0
    private var failures = 0

    init(_ policy: PollPolicy) {
        self.policy = policy
    }

    var modelState: TripModelState { phase == .inactive ? .inactive : .active }

    mutating func handle(_ input: Input, random: Double) -> [Effect] {
        switch input {
        case .subscribe(let id): subscribe(id)
        case .unsubscribe(let id): unsubscribe(id)
        case .refresh where phase == .waiting || phase == .idle: [.cancel(number), poll()]
        case .refresh: []
        case .wake(let number): number == self.number && phase == .waiting ? [poll()] : []
        case .answer(let number, let result):
            number == self.number && phase == .polling ? answer(result, random: random) : []
        }
    }

    private mutating func subscribe(_ id: UInt64) -> [Effect] {
        subscribers.append(id)
        let known: [Effect] = snapshot.map { [.emit(.updated($0), to: [id])] } ?? []
        guard snapshot?.isTerminal != true else { return known + [.emit(.state(.inactive), to: [id])] }
        guard phase == .inactive else { return [.emit(.state(.active), to: [id])] + known }
        return [.emit(.state(.active), to: [id])] + known + [poll()]
    }

    private mutating func unsubscribe(_ id: UInt64) -> [Effect] {
        subscribers.removeAll { $0 == id }
        guard subscribers.isEmpty, phase != .inactive else { return [] }
        phase = .inactive
        failures = 0
        return [.cancel(number)]
    }

    private mutating func answer(_ result: Result<Snapshot, FleetEngineError>, random: Double) -> [Effect] {
        switch result {
        case .success(let new):
            let recovery: [Effect] = failures > 0 ? [.emit(.recovered, to: subscribers)] : []
            failures = 0
            let update = recovery + (new != snapshot ? [.emit(.updated(new), to: subscribers)] : [])
            snapshot = new
            guard !new.isTerminal else {
                phase = .inactive
                return update + [.emit(.state(.inactive), to: subscribers)]
            }
            return update + wait(policy.interval > 0 ? policy.interval : nil)
        case .failure(let error):
            failures += 1
            let pause = policy.pause(after: error, failures: failures, random: random)
            return [.emit(.failed(error), to: subscribers)] + wait(pause)
        }
    }

    private mutating func poll() -> Effect {
        phase = .polling
        number += 1
        return .poll(number, known: snapshot)
    }

    private mutating func wait(_ pause: Seconds?) -> [Effect] {
        guard let pause else {
            phase = .idle
            return []
        }
        phase = .waiting
        number += 1
        return [.wait(number, pause)]
    }
}
