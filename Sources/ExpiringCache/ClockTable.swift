/// A dictionary of bounded size that makes room by the CLOCK algorithm, an approximation of least recently used.
///
/// A look-up costs as much as a dictionary's and writes at most one flag. To evict, a hand goes round the slots: it
/// clears a flag that is set and spares the slot, and evicts a slot without the flag. A new element takes that slot,
/// just behind the hand and without the flag, so a run of keys that are used only once evicts little but itself.
@usableFromInline
package struct ClockTable<Key: Hashable & Sendable, Element: Sendable>: Sendable {
    @usableFromInline
    package struct Slot: Sendable {
        @usableFromInline
        package let key: Key
        // Before the element, where most keys leave a byte for it.
        @usableFromInline
        package var isInUse = false
        @usableFromInline
        package var element: Element

        @inlinable
        init(key: Key, element: Element) {
            self.key = key
            self.element = element
        }
    }

    /// The minimum number of slots that the hand examines in search of an expired one.
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

    /// Creates an empty table with a capacity.
    @inlinable
    package init(capacity: Int) {
        self.capacity = capacity
    }

    /// The number of elements.
    package var count: Int { slots.count }

    subscript(key: Key) -> Element? {
        positions[key].map { slots[$0].element }
    }

    /// Returns the element for a key, and marks it as used.
    @inlinable
    package mutating func take(_ key: Key) -> Element? {
        useSlot(of: key).map { slots[$0].element }
    }

    /// Returns the index of a key's slot, and marks it as used; to read a part of the element costs less than to copy it.
    @inlinable
    mutating func useSlot(of key: Key) -> Int? {
        guard let position = positions[key] else { return nil }
        if !slots[position].isInUse { slots[position].isInUse = true }
        return position
    }

    /// Sets an element.
    ///
    /// If the table is full, a new key takes the slot of another. If no element may be evicted, the table grows.
    ///
    /// - Returns: The evicted or replaced element.
    @inlinable
    package mutating func set(_ element: Element, for key: Key, rank: (Key, Element) -> EvictionRank) -> Slot? {
        if let position = positions[key] {
            slots[position].element = element
            return nil
        }
        let slot = Slot(key: key, element: element)
        guard slots.count >= capacity, let position = victim(rank) else {
            positions[key] = slots.count
            // The array doubles its memory, but not beyond the capacity.
            if slots.count == slots.capacity, slots.count > capacity / 2, slots.count < capacity {
                slots.reserveCapacity(capacity)
            }
            slots.append(slot)
            return nil
        }
        let evicted = slots[position]
        positions[evicted.key] = nil
        positions[key] = position
        slots[position] = slot
        return evicted
    }

    /// Evicts an element to make the table smaller.
    ///
    /// - Returns: The evicted element; `nil` if none may be evicted.
    mutating func evict(rank: (Key, Element) -> EvictionRank) -> Slot? {
        guard let position = victim(rank) else { return nil }
        defer { remove(at: position) }
        return slots[position]
    }

    package mutating func remove(_ key: Key) {
        if let position = positions[key] { remove(at: position) }
    }

    /// Removes all elements, and returns them.
    package mutating func removeAll() -> Self {
        defer { self = Self(capacity: capacity) }
        return self
    }

    mutating func forEach(_ body: (inout Element) -> Void) {
        for position in slots.indices { body(&slots[position].element) }
    }

    /// Removes the element at a position; the last slot fills the gap, so that no other element moves.
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

/// The eviction order of an element.
@usableFromInline
package enum EvictionRank {
    /// It is never evicted.
    case kept
    /// It is evicted if it wasn't used since the hand last passed it.
    case ordinary
    /// It is evicted first.
    case dead
}
