import TokenMinting

/// Requests that wait, in the order in which their callers, and each caller's subjects, take turns.
///
/// Callers take turns by deficit round robin (Shreedhar and Varghese, 1995). Within a caller each subject has one
/// element in a round, or one in several rounds if its elements cost more, and rounds are served in order. A subject that
/// comes after the first element of a round was taken has its turn in the next one, so that newcomers do not pass those
/// that wait for their second turn. So the first element of the first round is next, and the last element of the last
/// round is the newest of the subject with the longest queue. Each operation takes constant time, except for a search
/// among the few callers.
///
/// The elements of a round are linked, in one array whose slots are reused, so that any element can be removed. It is not
/// generic: its owner is in another module, where each access to a generic dictionary would allocate.
struct FairQueue {
    /// An element: a request that waits.
    struct Request: Hashable {
        typealias ID = Int64

        /// Chosen by the code that adds it.
        let id: ID
        let flow: Flow
        /// A multiple of the usual request's cost.
        let cost: Int
        /// Requests of one number may share a batch.
        var batch = 0
        /// When it came, in nanoseconds.
        var arrival: Int64 = 0
    }

    /// The maximum number of a caller's elements that are examined for one that fits into a batch.
    static var examined: Int { 16 }

    private struct Slot {
        let request: Request
        /// The index of its caller.
        let caller: Int
        let round: Int
        var previous: Int?
        var next: Int?
    }

    /// The slots of a round's first and last element.
    private struct Round {
        var first: Int
        var last: Int
    }

    private struct Subject {
        var cost = 0
        /// The round of its next element.
        var nextRound: Int
    }

    private struct Caller {
        var name = ""
        var rounds: [Int: Round] = [:]
        /// No round before this one has elements.
        var firstRound = 0
        /// Whether an element of the first round was taken.
        var hasBegun = false
        /// No round after this one has elements.
        var lastRound = 0
        var subjects: [String: Subject] = [:]
        /// The cost of its elements.
        var cost = 0
        /// What it may still spend in its turn; less than nothing after it spent more in a batch.
        var deficit = 1

        /// Forgets everything, and keeps the memory that a few requests need.
        mutating func reset() {
            rounds.removeAll(keepingCapacity: rounds.capacity <= 64)
            subjects.removeAll(keepingCapacity: subjects.capacity <= 64)
            (firstRound, lastRound, hasBegun, cost, deficit) = (0, 0, false, 0, 1)
        }

        /// Returns the round of a subject's new element.
        mutating func add(_ subject: String, cost: Int) -> Int {
            let openRound = hasBegun ? firstRound + 1 : firstRound
            let known = subjects[subject, default: Subject(nextRound: openRound)]
            let round = max(openRound, known.nextRound)
            subjects[subject] = Subject(cost: known.cost + cost, nextRound: round + cost)
            lastRound = max(lastRound, round)
            self.cost += cost
            return round
        }

        /// Forgets an element of a subject; if it is the newest, the next one takes its round.
        mutating func remove(_ subject: String, cost: Int, round: Int) {
            self.cost -= cost
            guard var known = subjects[subject] else { return }
            known.cost -= cost
            if known.nextRound == round + cost { known.nextRound = round }
            subjects[subject] = known.cost > 0 ? known : nil
        }

        /// Returns the first round with elements, of which there must be one.
        mutating func first() -> Round? {
            while rounds[firstRound] == nil, firstRound < lastRound {
                firstRound += 1
                hasBegun = false
            }
            return rounds[firstRound]
        }

        /// Returns the last round with elements, of which there must be one.
        mutating func last() -> Round? {
            while rounds[lastRound] == nil, firstRound < lastRound { lastRound -= 1 }
            return rounds[lastRound]
        }
    }

    private var slots: [Slot?] = []
    private var freeSlots: [Int] = []
    private var slotIndices: [Request.ID: Int] = [:]
    private var callers: [Caller] = []
    private var freeCallers: [Int] = []
    /// The callers with elements.
    private var callerIndices: [String: Int] = [:]
    /// The callers with elements, in the order of their turns.
    private var turns: [Int] = []

    /// The cost of all elements.
    private(set) var cost = 0
    /// The number of elements.
    var count: Int { slotIndices.count }
    /// Whether there are no elements.
    var isEmpty: Bool { slotIndices.isEmpty }
}

// MARK: - Adding and removing

extension FairQueue {
    /// Adds an element.
    mutating func append(_ request: Request) {
        let caller = index(ofCaller: request.flow.caller)
        let index = freeSlots.popLast() ?? slots.count
        if index == slots.count { slots.append(nil) }
        let round = callers[caller].add(request.flow.subject, cost: request.cost)
        let previous = callers[caller].rounds[round]?.last
        slots[index] = Slot(request: request, caller: caller, round: round, previous: previous)
        if let previous { slots[previous]?.next = index }
        callers[caller].rounds[round, default: Round(first: index, last: index)].last = index
        slotIndices[request.id] = index
        cost += request.cost
    }

    /// Removes an element; returns nil if it is not there any more.
    mutating func remove(_ id: Request.ID) -> Request? { slotIndices[id].flatMap { take($0) } }

    /// Removes the newest element of the subject with the longest queue, of the caller with the highest cost.
    ///
    /// - Parameter preferred: The caller that is chosen where the costs are equal.
    /// - Returns: The element; nil if there is none.
    mutating func removeNewest(preferring preferred: String) -> Request? {
        guard var longest = turns.max(by: { callers[$0].cost < callers[$1].cost }) else { return nil }
        if let index = callerIndices[preferred], callers[index].cost == callers[longest].cost { longest = index }
        return callers[longest].last().flatMap { take($0.last) }
    }

    /// Returns the index of a caller, which may be a new one.
    private mutating func index(ofCaller name: String) -> Int {
        if let index = callerIndices[name] { return index }
        let index = freeCallers.popLast() ?? callers.count
        if index == callers.count { callers.append(Caller()) }
        callers[index].name = name
        callerIndices[name] = index
        turns.append(index)
        return index
    }

    /// Removes the element in a slot.
    private mutating func take(_ index: Int) -> Request? {
        guard let slot = slots[index] else { return nil }
        let request = slot.request
        slots[index] = nil
        freeSlots.append(index)
        slotIndices[request.id] = nil
        cost -= request.cost
        if let previous = slot.previous { slots[previous]?.next = slot.next }
        if let next = slot.next { slots[next]?.previous = slot.previous }
        switch (slot.previous, slot.next) {
        case (nil, let next?): callers[slot.caller].rounds[slot.round]?.first = next
        case (let previous?, nil): callers[slot.caller].rounds[slot.round]?.last = previous
        case (nil, nil): callers[slot.caller].rounds[slot.round] = nil
        default: break
        }
        callers[slot.caller].remove(request.flow.subject, cost: request.cost, round: slot.round)
        if callers[slot.caller].subjects.isEmpty { forget(slot.caller, named: request.flow.caller) }
        return request
    }

    private mutating func forget(_ caller: Int, named name: String) {
        callers[caller].reset()
        callerIndices[name] = nil
        freeCallers.append(caller)
        // Usually it is the first one.
        if let position = turns.firstIndex(of: caller) { turns.remove(at: position) }
    }
}

// MARK: - Taking turns

extension FairQueue {
    /// Removes and returns the next element.
    ///
    /// - Parameter mayTake: Whether a caller may have its turn; its place in the order is kept otherwise.
    /// - Returns: The element; nil if there is none.
    mutating func popFirst(where mayTake: (_ caller: String) -> Bool = { _ in true }) -> Request? {
        while let position = turns.firstIndex(where: { mayTake(callers[$0].name) }) {
            let caller = turns[position]
            guard let index = callers[caller].first()?.first, let cost = slots[index]?.request.cost else { return nil }
            guard callers[caller].deficit >= cost else {
                callers[caller].deficit += 1
                turns.append(turns.remove(at: position))
                continue
            }
            callers[caller].deficit -= cost
            callers[caller].hasBegun = true
            return take(index)
        }
        return nil
    }

    /// Returns whether so many elements fit into a batch, among the first of each caller.
    func hasFitting(_ count: Int, into batch: Int) -> Bool {
        var found = 0
        for caller in turns where found < count {
            found += firstIndices(of: callers[caller], fitting: batch, limit: count - found).count
        }
        return found >= count
    }

    /// Removes and returns the next element that fits into a batch; its caller's deficit pays for it.
    mutating func popNext(fitting batch: Int) -> Request? {
        var best: (index: Int, deficit: Int)?
        for caller in turns {
            let deficit = callers[caller].deficit
            guard deficit > best?.deficit ?? .min else { continue }
            guard let index = firstIndices(of: callers[caller], fitting: batch, limit: 1).first else { continue }
            best = (index, deficit)
        }
        guard let best, let slot = slots[best.index] else { return nil }
        callers[slot.caller].deficit -= slot.request.cost
        callers[slot.caller].hasBegun = true
        return take(best.index)
    }

    /// Returns the slots of those of a caller's first elements that fit.
    private func firstIndices(of caller: Caller, fitting batch: Int, limit: Int) -> [Int] {
        var (round, next) = (caller.firstRound, caller.rounds[caller.firstRound]?.first)
        var indices: [Int] = []
        for _ in 0..<Self.examined {
            while next == nil, round < caller.lastRound {
                round += 1
                next = caller.rounds[round]?.first
            }
            guard let index = next, indices.count < limit else { break }
            if slots[index]?.request.batch == batch { indices.append(index) }
            next = slots[index]?.next
        }
        return indices
    }
}
