/// A dictionary of bounded size that makes room by the CLOCK algorithm, an approximation of least recently used.
///
/// A look-up costs what a dictionary's does and writes at most one flag. To make room, a hand goes round the slots: a
/// slot whose flag is set loses the flag and is spared, one without the flag goes. A new element takes that slot, just
/// behind the hand and without the flag, so a run of keys that are used only once pushes out little but itself.
@usableFromInline
package struct ClockTable<Key: Hashable & Sendable, Element: Sendable>: Sendable {
    @usableFromInline
    package struct Slot: Sendable {
        @usableFromInline
        package let key: Key
        @usableFromInline
        package var element: Element
        @usableFromInline
        package var isInUse = false

        @inlinable
        init(key: Key, element: Element) {
            self.key = key
            self.element = element
        }
    }

    /// How many slots the hand looks at, at least, in search of a dead one.
    @usableFromInline
    static var reach: Int { 8 }

    @usableFromInline
    package let capacity: Int
    @usableFromInline
    var slots: [Slot] = []
    @usableFromInline
    var positions: [Key: Int] = [:]
    @usableFromInline
    var hand = 0

    /// A table with no element, for so many.
    @inlinable
    package init(capacity: Int) {
        self.capacity = capacity
    }

    subscript(key: Key) -> Element? {
        positions[key].map { slots[$0].element }
    }

    /// The element, which is now in use.
    @inlinable
    mutating func use(_ key: Key) -> Element? {
        guard let position = positions[key] else { return nil }
        if !slots[position].isInUse { slots[position].isInUse = true }
        return slots[position].element
    }

    /// Sets an element.
    ///
    /// A new key takes another's slot where the table is full. If all in it must be kept, the table grows.
    ///
    /// - Returns: What had to go.
    @inlinable
    package mutating func set(_ element: Element, for key: Key, rank: (Key, Element) -> EvictionRank) -> Slot? {
        if let position = positions[key] {
            slots[position].element = element
            return nil
        }
        let slot = Slot(key: key, element: element)
        guard slots.count >= capacity, let position = victim(rank) else {
            positions[key] = slots.count
            slots.append(slot)
            return nil
        }
        let evicted = slots[position]
        positions[evicted.key] = nil
        positions[key] = position
        slots[position] = slot
        return evicted
    }

    /// Removes an element to make the table smaller.
    ///
    /// - Returns: What had to go; `nil` if all must be kept.
    mutating func evict(rank: (Key, Element) -> EvictionRank) -> Slot? {
        guard let position = victim(rank) else { return nil }
        defer { remove(at: position) }
        return slots[position]
    }

    mutating func remove(_ key: Key) {
        if let position = positions[key] { remove(at: position) }
    }

    /// Removes everything, and returns it.
    mutating func removeAll() -> Self {
        defer { self = Self(capacity: capacity) }
        return self
    }

    mutating func forEach(_ body: (inout Element) -> Void) {
        for position in slots.indices { body(&slots[position].element) }
    }

    /// The last slot fills the gap, so that nothing else has to move.
    private mutating func remove(at position: Int) {
        positions[slots[position].key] = nil
        let last = slots.removeLast()
        if position < slots.count {
            slots[position] = last
            positions[last.key] = position
        }
    }

    @inlinable
    mutating func victim(_ rank: (Key, Element) -> EvictionRank) -> Int? {
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

extension ClockTable {
    /// The element, which is now in use: for other modules of the package.
    @inlinable
    package mutating func take(_ key: Key) -> Element? { use(key) }
}

/// How easily an element makes room for another.
@usableFromInline
package enum EvictionRank {
    /// It doesn't.
    case kept
    /// It does if it wasn't used since the hand last came by.
    case ordinary
    /// It is the first to go.
    case dead
}
