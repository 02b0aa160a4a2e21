import Timing

@testable import ExpiringCache

extension World {
    func isUsable(_ value: Ghost, needing needed: Int64) -> Bool {
        let age = age(since: value.origin)
        return age < value.lifetime - Self.reserve && age + needed <= value.lifetime
    }

    func waitingCallers(_ key: Int) -> [Caller] { callers.filter { $0.wait?.key == key } }

    /// How many fetches of a key count against the bound.
    func abandonedCount(_ key: Int) -> Int {
        fetches.count { $0.plan.key == key && $0.isAbandoned && now.continuous < $0.countsUntil }
    }

    /// Whether nothing may be fetched for a key now, whoever asks.
    func isBarred(_ key: Int) -> Bool {
        isSourcePaused || isPaused(key) || abandonedCount(key) >= Self.maximumAbandoned
    }

    func age(since origin: Instant) -> Int64 {
        max(now.continuous - origin.continuous, now.wall - origin.wall)
    }

    func lookUp(_ key: Int, needing needed: Int64 = 0) -> LookUp<CacheEntry<Ghost>> {
        var copy = state
        return copy.lookUp(key, needing: needed, at: now) { $0 }
    }

    /// What anybody is given.
    func checkReturned(_ value: Ghost, of key: Int, needing needed: Int64) throws(Violation) {
        try require(isUsable(value, needing: needed), "P1: a value was returned that is too old")
        try require(value.generation == generations[value.key], "P6: a value was returned that was removed")
        try require(value.key == key, "P12: a value of another key was returned")
    }

    func checkAnswers(_ effects: State.Effects, to count: Int) throws(Violation) {
        try require(effects.answers.count == count, "P9: a fetch that ends answers all of its waiters and nobody else")
    }

    func checkFailures(_ effects: State.Effects, _ code: CacheError.Code) throws(Violation) {
        for (_, result) in effects.answers {
            guard case .failure(let error as CacheError) = result, error.code == code else {
                throw Violation("P9: one failure, one error: not \(result)")
            }
        }
    }

    /// What holds in each state.
    func checkInvariants() throws(Violation) {
        for key in keys {
            let running = fetches.filter { $0.plan.key == key && !$0.isAbandoned }.map(\.plan.id)
            try require(running == (state.flights[key].map { [$0.id] } ?? []), "P2: one fetch at a time")
            let abandoned = abandonedCount(key)
            let counted = state.abandoned.count(of: key, at: now).count
            try require(abandoned == counted, "P2, B48: abandoned fetches are counted, for a while")
            try require(abandoned <= Self.maximumAbandoned, "P2: abandoned fetches are bounded")
            // Who waits, waits for a fetch that runs and will end or be given up. So each wait ends (L1).
            let waiting = Set(callers.filter { $0.wait?.key == key }.compactMap { $0.wait?.waiter })
            try require(waiting == Set(state.flights[key]?.waiters.keys.map { $0 } ?? []), "P3, L1: waiters are known")
            if let entry = state.entries[key] {
                try require(entry.value.generation == generations[entry.value.key], "P6: a removed value is kept")
                try require(entry.value.key == key, "P12: a value is kept under another key")
            }
        }
        let begun = fetches.filter { !$0.isAbandoned && !$0.isQueued && $0.sourceFailures == sourcePenalty.total }
        let limit = now.continuous < sourcePenalty.recovered ? sourcePenalty.limit : nil
        try require(begun.count <= limit ?? .max, "P15: the source is probed by one fetch, then by more")
        try require(state.entries.slots.count <= capacity + state.flights.count, "P13: values are bounded")
        try require(state.gates.slots.count <= capacity, "P13: failures are bounded")
    }

    /// L2: whatever happened, once fetches succeed again and pauses are over, the next call gets a value.
    func checkRecovery() throws(Violation) {
        var world = self
        while let fetch = world.fetches.firstIndex(where: { !$0.isAbandoned && !$0.isQueued }) {
            try world.apply(.hang(fetch: fetch))
        }
        // Those that were given up never end: their callbacks are lost.
        try world.apply(.advance(by: Self.day))
        for key in keys {
            try world.apply(.get(caller: 0, key: key))
            guard let fetch = world.fetches.firstIndex(where: { !$0.isAbandoned && !$0.isQueued }) else {
                throw Violation("L2: nothing is fetched though nothing is in the way")
            }
            try world.apply(.succeed(fetch: fetch))
            try require(world.callers[0].wait == nil, "L2: a caller still waits after a success")
            guard case .fresh = world.lookUp(key) else { throw Violation("L2: there is no value after a success") }
        }
    }
}
