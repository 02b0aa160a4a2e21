import Timing

@testable import ExpiringCache

/// Something that can be wrong with the machine, planted to see whether the model checker finds it.
enum Fault: CaseIterable {
    case servesTheExpired
    case fetchesTwice
    case answersOneWaiterOnly
    case endsTheFetchOfACallerWhoLeaves
    case lateFetchReplacesANewerValue
    case keepsWhatWasRemoved
    case forgetsPauses
    case answersBeforeItKeeps
    case mixesKeys
    case neverRefreshesAhead
    case growsBeyondItsCapacity
    case countsAbandonedFetchesForEver
    case signOutKeepsDenials
    case signOutKeepsHungFetches
    case oneDemandStopsAll
    case asksAgainForMoreThanThereIs
    case trustsAFetchThatSlept
    case forgetsTheSourcesPause
    case probesWithAll
    case changeOfUserKeepsValues
    case oneKeyPausesAll

    /// What the checker should say of it.
    var invariant: String {
        switch self {
        case .servesTheExpired: "P1"
        case .fetchesTwice: "P2"
        case .answersOneWaiterOnly: "P9"
        case .endsTheFetchOfACallerWhoLeaves: "P7"
        case .lateFetchReplacesANewerValue: "P5"
        case .keepsWhatWasRemoved: "P6"
        case .forgetsPauses: "P8"
        case .answersBeforeItKeeps: "P4"
        case .mixesKeys: "P12"
        case .neverRefreshesAhead: "L3"
        case .growsBeyondItsCapacity: "P13"
        case .countsAbandonedFetchesForEver: "P2, B48"
        case .signOutKeepsDenials: "B53"
        case .signOutKeepsHungFetches: "P2, B48"
        case .oneDemandStopsAll: "B51"
        case .asksAgainForMoreThanThereIs: "P8"
        case .trustsAFetchThatSlept: "B58"
        case .forgetsTheSourcesPause: "P8"
        case .probesWithAll: "P15"
        case .changeOfUserKeepsValues: "P6"
        case .oneKeyPausesAll: "B51"
        }
    }

    /// The smallest world in which it can be seen.
    var keys: Int { [.mixesKeys, .growsBeyondItsCapacity, .probesWithAll, .oneKeyPausesAll].contains(self) ? 2 : 1 }
    var capacity: Int { self == .mixesKeys ? 2 : 1 }
    var demand: Int64 { self == .oneDemandStopsAll || self == .asksAgainForMoreThanThereIs ? 150 : 85 }

    /// Some faults are a matter of a setting.
    func change(_ configuration: inout CacheConfiguration) {
        switch self {
        case .growsBeyondItsCapacity: configuration.capacity += 1
        case .countsAbandonedFetchesForEver: configuration.abandonedFetchLifetime = .infinity
        case .trustsAFetchThatSlept: configuration.fetchTimeout = .infinity
        default: break
        }
    }

    /// When the machine believes to be asked.
    func lookUpTime(_ now: Instant) -> Instant {
        guard self == .servesTheExpired else { return now }
        return Instant(continuous: now.continuous - World.reserve, wall: now.wall - World.reserve)
    }
}

extension World {
    /// Makes the machine do what it would do with the fault.
    mutating func plant(
        _ fault: Fault,
        after input: State.Input,
        _ before: State,
        _ effects: inout State.Effects
    ) {
        switch (fault, input) {
        case (.fetchesTwice, .request(let request)) where before.flights[request.key] != nil && effects.starts.isEmpty:
            let id = state.nextID()
            effects.starts.append(.init(id: id, key: request.key, reason: .missing))
        case (.answersOneWaiterOnly, .succeed), (.answersOneWaiterOnly, .fail):
            effects.answers = Array(effects.answers.prefix(1))
        case (.endsTheFetchOfACallerWhoLeaves, .leave(let key, _, _)) where state.flights[key]?.waiters.isEmpty == true:
            state.flights[key] = nil
        case (.lateFetchReplacesANewerValue, .succeed(let plan, let fetched)):
            guard let newer = before.entries[plan.key], newer.version > plan.id else { break }
            let lifespan = state.rules.lifespan(of: fetched, jitter: 0)
            let late = CacheEntry(value: fetched.value, version: plan.id, origin: now, lifespan: lifespan)
            _ = state.entries.set(late, for: plan.key) { _, _ in .ordinary }
        case (.keepsWhatWasRemoved, .removeAll):
            state.entries = before.entries
        case (.forgetsPauses, .fail):
            state.gates = ClockTable(capacity: capacity)
        case (.answersBeforeItKeeps, .succeed(let plan, _)):
            state.entries.remove(plan.key)
        case (.mixesKeys, .succeed(let plan, _)):
            guard let entry = state.entries[plan.key], let other = keys.first(where: { $0 != plan.key }) else { break }
            _ = state.entries.set(entry, for: other) { _, _ in .ordinary }
        case (.neverRefreshesAhead, .refresh(let key)) where effects.starts.first?.reason == .refreshAhead:
            state.flights[key] = nil
            effects.starts = []
        case (.signOutKeepsDenials, .removeAll):
            state.gates = before.gates
        case (.signOutKeepsHungFetches, .removeAll):
            for id in effects.cancellations { state.abandoned.add(id, of: 0, at: now) }
        case (.oneDemandStopsAll, .succeed(let plan, _))
        where state.entries[plan.key] != nil && effects.answers.contains { $0.result.isFailure }:
            var step = State.Step(moment: Moment(now: now, jitter: 0, rules: state.rules))
            _ = state.noteFailure(plan.key, error: CacheError(.insufficientLifetime), retry: .retryable(), &step)
        case (.asksAgainForMoreThanThereIs, .succeed(let plan, _))
        where state.entries[plan.key] != nil && effects.answers.contains { $0.result.isFailure }:
            state.gates.remove(plan.key)
        case (.forgetsTheSourcesPause, .fail(_, _, _, .source)):
            state.source = SourceGate<Int>()
        case (.probesWithAll, .request) where state.source.window == 1:
            state.source.noteResponse(to: .max)
        case (.oneKeyPausesAll, .fail(let plan, _, let retry, .limit)):
            var step = State.Step(moment: Moment(now: now, jitter: 0, rules: state.rules))
            _ = state.noteSourceFailure(plan.id, error: CacheError(.unavailable), retry: retry, &step)
        case (.changeOfUserKeepsValues, .renewAll):
            state.entries = before.entries
        default: break
        }
    }
}

extension Result {
    fileprivate var isFailure: Bool { if case .failure = self { true } else { false } }
}
