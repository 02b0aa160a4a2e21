import TokenMinting

/// Elements that wait, in the order in which their callers, and each caller's subjects, take turns.
///
/// Callers take turns by deficit round robin (Shreedhar and Varghese, 1995). Within a caller each subject has one
/// element in a round, or one in several rounds if its elements cost more, and rounds are served in order. A subject that
/// comes after the first element of a round was taken has its turn in the next one, so that newcomers do not pass those
/// that wait for their second turn. So the first element of the first round is next, and the last element of the last
/// round is the newest of the subject with the longest queue. Each operation takes constant time, except for a search
/// among the few callers.
///
/// The elements of a round are linked, in one array whose slots are reused, so that any element can be removed.
struct FairQueue<Element> {
    /// An element's ID, chosen by the code that adds it.
    typealias ID = Int64

    /// The maximum number of a caller's elements that are examined for one that fits into a batch.
    static var examined: Int { 16 }

    private struct Slot {
        let element: Element
        let id: ID
        let flow: Flow
        let cost: Int
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
    private var indices: [ID: Int] = [:]
    private var callers: [String: Caller] = [:]
    /// The callers with elements, in the order of their turns.
    private var turns: [String] = []

    /// The cost of all elements.
    private(set) var cost = 0
    /// The number of elements.
    var count: Int { indices.count }
    /// Whether there are no elements.
    var isEmpty: Bool { indices.isEmpty }
}

// MARK: - Adding and removing

extension FairQueue {
    /// Adds an element.
    ///
    /// - Parameters:
    ///   - element: The element.
    ///   - id: An ID that no other element has.
    ///   - flow: Its caller and subject.
    ///   - cost: Its cost, as a multiple of the usual element's.
    mutating func append(_ element: Element, id: ID, of flow: Flow, cost: Int) {
        if callers[flow.caller] == nil { turns.append(flow.caller) }
        let index = freeSlots.popLast() ?? slots.count
        if index == slots.count { slots.append(nil) }
        let round = callers[flow.caller, default: Caller()].add(flow.subject, cost: cost)
        let previous = callers[flow.caller]?.rounds[round]?.last
        slots[index] = Slot(element: element, id: id, flow: flow, cost: cost, round: round, previous: previous)
        if let previous { slots[previous]?.next = index }
        callers[flow.caller]?.rounds[round, default: Round(first: index, last: index)].last = index
        indices[id] = index
        self.cost += cost
    }

    /// Removes an element; returns nil if it is not there any more.
    mutating func remove(_ id: ID) -> Element? { indices[id].flatMap { take($0)?.element } }

    /// Removes the newest element of the subject with the longest queue, of the caller with the highest cost.
    ///
    /// - Parameter preferred: The caller that is chosen where the costs are equal.
    /// - Returns: The element; nil if there is none.
    mutating func removeNewest(preferring preferred: String) -> Element? {
        let longest = turns.max { cost(of: $0) < cost(of: $1) }
        guard let longest else { return nil }
        let name = cost(of: preferred) == cost(of: longest) ? preferred : longest
        guard let index = callers[name]?.last()?.last else { return nil }
        return take(index)?.element
    }

    private func cost(of caller: String) -> Int { callers[caller]?.cost ?? 0 }

    /// Removes the element in a slot.
    private mutating func take(_ index: Int) -> Slot? {
        guard let slot = slots[index] else { return nil }
        slots[index] = nil
        freeSlots.append(index)
        indices[slot.id] = nil
        cost -= slot.cost
        if let previous = slot.previous { slots[previous]?.next = slot.next }
        if let next = slot.next { slots[next]?.previous = slot.previous }
        let name = slot.flow.caller
        switch (slot.previous, slot.next) {
        case (nil, let next?): callers[name]?.rounds[slot.round]?.first = next
        case (let previous?, nil): callers[name]?.rounds[slot.round]?.last = previous
        case (nil, nil): callers[name]?.rounds[slot.round] = nil
        default: break
        }
        callers[name]?.remove(slot.flow.subject, cost: slot.cost, round: slot.round)
        if callers[name]?.subjects.isEmpty ?? false {
            callers[name] = nil
            // Usually it is the first one.
            if let position = turns.firstIndex(of: name) { turns.remove(at: position) }
        }
        return slot
    }
}

// MARK: - Taking turns

extension FairQueue {
    /// Removes and returns the next element.
    ///
    /// - Parameter mayTake: Whether a caller may have its turn; its place in the order is kept otherwise.
    /// - Returns: The element; nil if there is none.
    mutating func popFirst(where mayTake: (_ caller: String) -> Bool = { _ in true }) -> Element? {
        while let position = turns.firstIndex(where: mayTake) {
            let name = turns[position]
            guard let index = callers[name]?.first()?.first, let cost = slots[index]?.cost else { return nil }
            guard callers[name]?.deficit ?? 0 >= cost else {
                callers[name]?.deficit += 1
                turns.append(turns.remove(at: position))
                continue
            }
            callers[name]?.deficit -= cost
            callers[name]?.hasBegun = true
            return take(index)?.element
        }
        return nil
    }

    /// Returns whether so many elements fit into a batch, among the first of each caller.
    func hasFitting(_ count: Int, where fits: (Element) -> Bool) -> Bool {
        var found = 0
        for name in turns where found < count { found += firstIndices(of: name, where: fits).count }
        return found >= count
    }

    /// Removes and returns the next element that fits into a batch; its caller's deficit pays for it.
    mutating func popNext(where fits: (Element) -> Bool) -> Element? {
        var best: (index: Int, deficit: Int)?
        for name in turns {
            let deficit = callers[name]?.deficit ?? 0
            guard deficit > best?.deficit ?? .min else { continue }
            guard let index = firstIndices(of: name, where: fits).first else { continue }
            best = (index, deficit)
        }
        guard let best, let slot = slots[best.index] else { return nil }
        callers[slot.flow.caller]?.deficit -= slot.cost
        callers[slot.flow.caller]?.hasBegun = true
        return take(best.index)?.element
    }

    /// Returns the slots of those of a caller's first elements that fit.
    private func firstIndices(of name: String, where fits: (Element) -> Bool) -> [Int] {
        guard let caller = callers[name] else { return [] }
        var (round, next) = (caller.firstRound, caller.rounds[caller.firstRound]?.first)
        var indices: [Int] = []
        for _ in 0..<Self.examined {
            while next == nil, round < caller.lastRound {
                round += 1
                next = caller.rounds[round]?.first
            }
            guard let index = next, let slot = slots[index] else { break }
            if fits(slot.element) { indices.append(index) }
            next = slot.next
        }
        return indices
    }
}
