import Timing

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
        hasher.combine([min(state.source.failures, 3), state.source.window ?? 0])
        hasher.combine([min(sourcePenalty.consecutive, 3), sourcePenalty.limit ?? 0])
        hasher.combine([sourcePenalty.suspects, sourcePenalty.isolated])
        hasher.combine(sourcePenalty.limitedKey)
        hasher.combine(keys.map { state.source.isIsolated($0) } + keys.map { state.source.isLimited(besides: $0) })
        combine(pauses: state.source.pause.until, sourcePenalty.pausedUntil, sourcePenalty.recovered, into: &hasher)
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
            hasher.combine(entry.value.generation == generations[key])
        }
        if let flight = state.flights[key] {
            combine(flight.origin, into: &hasher)
            hasher.combine(flight.reason)
            hasher.combine(flight.id > state.entries[key]?.version ?? 0)
            hasher.combine(flight.waiters.count)
            hasher.combine(flight.isRepeat)
            hasher.combine(flight.isQueued)
            hasher.combine(flight.id > state.source.fence)
        }
        hasher.combine(
            fetches.filter { $0.plan.key == key && !$0.isAbandoned }.map { $0.sourceFailures == sourcePenalty.total }
        )
        let abandoned = fetches.filter { $0.plan.key == key && $0.isAbandoned }
        // Those that no longer count are all alike: whether there is one is what matters.
        hasher.combine(
            abandoned.map { max($0.countsUntil, now.continuous) - now.continuous }.filter { $0 > 0 }.sorted()
        )
        hasher.combine(abandoned.contains { $0.countsUntil <= now.continuous })
        hasher.combine(fetches.contains { $0.plan.key == key && $0.generation == generations[key] })
        if let gate = state.gates[key] {
            hasher.combine([
                min(gate.failures, 3), min(gate.denials, 3), min(gate.rejections, 4), min(gate.denialResets, 4),
            ])
            hasher.combine(gate.awaitsReplacement)
            combine(pauses: gate.pause.until, gate.denial.until, gate.shortfall.bar.until, into: &hasher)
            hasher.combine(gate.pause.reason.code)
            hasher.combine(gate.denial.reason.code)
            hasher.combine([min(gate.shortfall.count, 3)])
            hasher.combine(gate.shortfall.lifetime)
        }
        let penalty = penalties[key]
        hasher.combine([min(penalty.failures, 3), min(penalty.denials, 3), min(penalty.rejections, 4)])
        hasher.combine([min(penalty.denialResets, 4), min(penalty.shortfalls, 3)])
        hasher.combine(penalty.longest)
        combine(pauses: penalty.pausedUntil, penalty.deniedUntil, penalty.shortUntil, into: &hasher)
    }

    private func combine(_ origin: Instant, into hasher: inout Hasher) {
        let age = now.continuous - origin.continuous
        hasher.combine(min(age, Self.lifetime))
        hasher.combine(now.wall - origin.wall - age)
    }

    private func combine(pauses: Int64..., into hasher: inout Hasher) {
        for pause in pauses { hasher.combine(max(pause, now.continuous) - now.continuous) }
    }
}
