@testable import ExpiringCache

extension World {
    /// All of the state that can make a difference from here on, as one number.
    ///
    /// Times count from now, IDs only by their order, and what lies beyond the last boundary is all the same. Two
    /// states with one fingerprint by chance would hide one of them: one chance in thirty million for a million states.
    var fingerprint: Int {
        var hasher = Hasher()
        hasher.combine(wallOffset)
        for key in keys { combine(key, into: &hasher) }
        for slot in state.entries.slots {
            hasher.combine(slot.key)
            hasher.combine(slot.isInUse)
        }
        if state.entries.capacity < keys.count {
            hasher.combine(state.entries.hand % max(1, state.entries.slots.count))
        }
        for slot in state.gates.slots { hasher.combine(slot.key) }
        // The first two callers are alike.
        let waits = callers.map { $0.wait?.key ?? -1 }
        hasher.combine([min(waits[0], waits[1]), max(waits[0], waits[1]), waits[2]])
        return hasher.finalize()
    }

    private func combine(_ key: Int, into hasher: inout Hasher) {
        if let entry = state.entries[key] {
            combine(entry.origin, into: &hasher)
            hasher.combine(entry.value.generation == generation)
        }
        if let flight = state.flights[key] {
            combine(flight.origin, into: &hasher)
            hasher.combine(flight.reason)
            hasher.combine(flight.id > state.entries[key]?.version ?? 0)
            hasher.combine(flight.waiters.count)
        }
        hasher.combine(abandonedCount(key))
        hasher.combine(fetches.count { $0.plan.key == key && $0.generation == generation })
        if let gate = state.gates[key] {
            hasher.combine([min(gate.failures, 3), min(gate.rejections, 4)])
            hasher.combine(gate.awaitsReplacement)
            combine(pauses: gate.pausedUntil, gate.deniedUntil, into: &hasher)
            hasher.combine(gate.reason.code)
        }
        let penalty = penalties[key]
        hasher.combine([min(penalty.failures, 3), min(penalty.rejections, 4)])
        combine(pauses: penalty.pausedUntil, penalty.deniedUntil, into: &hasher)
    }

    private func combine(_ origin: Instant, into hasher: inout Hasher) {
        let age = now.continuous - origin.continuous
        hasher.combine(min(age, Self.lifetime))
        hasher.combine(now.wall - origin.wall - age)
    }

    private func combine(pauses pause: Int64, _ denial: Int64, into hasher: inout Hasher) {
        hasher.combine(max(pause, now.continuous) - now.continuous)
        hasher.combine(max(denial, now.continuous) - now.continuous)
    }
}
