/// A dictionary of bounded size that makes room by the CLOCK algorithm, an approximation of least recently used.
///
/// A look-up costs what a dictionary's does and writes at most one flag. To make room, a hand goes round the slots: a
/// slot whose flag is set loses the flag and is spared, one without the flag goes. A new element takes that slot, just
/// behind the hand and without the flag, so a run of keys that are used only once pushes out little but itself.

struct ClockTable<Key: Hashable & Sendable, Element: Sendable>: Sendable {
    struct Slot: Sendable {
        let key: Key
        var element: Element
        var isInUse = false
    }

    /// How the hand treats a slot.
    enum Rank {
        /// It stays.
        case kept
        /// It stays if it was used since the hand last came by.
        case ordinary
        /// It goes first.
        case dead
    }

    /// How many slots the hand looks at, at least, in search of a dead one.
    private static var reach: Int { 8 }

    let capacity: Int
    private(set) var slots: [Slot] = []
    private var positions: [Key: Int] = [:]
    private var hand = 0

    init(capacity: Int) {
        self.capacity = capacity
    }

    subscript(key: Key) -> Element? {
        positions[key].map { slots[$0].element }
    }

    /// The element, which is now in use.
    mutating func use(_ key: Key) -> Element? {
        guard let position = positions[key] else { return nil }
        if !slots[position].isInUse { slots[position].isInUse = true }
        return slots[position].element
    }

    /// Sets an element.
    ///
    /// A new key makes room for itself first. The table grows past its capacity only when all in it must be kept, and shrinks when it next can.
    ///
    /// - Returns: What was there before, or had to go.
    mutating func set(_ element: Element, for key: Key, rank: (Key, Element) -> Rank) -> [Slot] {
        let slot = Slot(key: key, element: element)
        if let position = positions[key] {
            let previous = slots[position]
            slots[position].element = element
            return [previous]
        }
        var evicted: [Slot] = []
        while slots.count > capacity, let position = victim(rank) {
            evicted.append(remove(at: position))
        }
        if slots.count >= capacity, let position = victim(rank) {
            evicted.append(slots[position])
            positions[slots[position].key] = nil
            slots[position] = slot
            positions[key] = position
        } else {
            positions[key] = slots.count
            slots.append(slot)
        }
        return evicted
    }

    mutating func remove(_ key: Key) -> Element? {
        positions[key].map { remove(at: $0).element }
    }

    /// Removes everything, and returns it.
    mutating func removeAll() -> [Slot] {
        defer { self = Self(capacity: capacity) }
        return slots
    }

    mutating func forEach(_ body: (inout Element) -> Void) {
        for position in slots.indices { body(&slots[position].element) }
    }

    /// The last slot fills the gap, so that nothing else has to move.
    private mutating func remove(at position: Int) -> Slot {
        let removed = slots[position]
        positions[removed.key] = nil
        let last = slots.removeLast()
        if position < slots.count {
            slots[position] = last
            positions[last.key] = position
        }
        return removed
    }

    private mutating func victim(_ rank: (Key, Element) -> Rank) -> Int? {
        var unused: Int?
        // The first round clears the flags, so the second finds a victim if there is any.
        for step in 0..<(2 * slots.count) {
            if unused != nil, step >= Self.reach { break }
            if hand >= slots.count { hand = 0 }
            let position = hand
            hand += 1
            switch rank(slots[position].key, slots[position].element) {
            case .kept: continue
            case .dead: return position
            case .ordinary where unused != nil: continue
            case .ordinary where slots[position].isInUse: slots[position].isInUse = false
            case .ordinary: unused = position
            }
        }
        return unused
    }
}
