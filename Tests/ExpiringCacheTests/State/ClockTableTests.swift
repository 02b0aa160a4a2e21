import TestRandomness
import Testing

@testable import ExpiringCache

@Suite("The table that evicts")
struct ClockTableTests {
    private static func ordinary(_ key: Int, _ element: Int) -> EvictionRank { .ordinary }

    @Test("A run of new keys does not evict keys in use")
    func runOfNewKeysDoesntPushOutWhatIsInUse() {
        var table = ClockTable<Int, Int>(capacity: 20)
        for key in 0..<10 { #expect(table.set(key, for: key, rank: Self.ordinary) == nil) }
        for key in 1_000..<2_000 {
            _ = table.set(key, for: key, rank: Self.ordinary)
            for hot in 0..<10 { #expect(table.take(hot) == hot) }
        }
        #expect(table.slots.count == 20)
    }

    @Test("Dead elements are evicted before unused ones")
    func deadElementsGoBeforeUnusedOnes() {
        var table = ClockTable<Int, Int>(capacity: 6)
        for key in 0..<6 { _ = table.set(key, for: key, rank: Self.ordinary) }
        _ = table.take(4)
        let evicted = table.set(9, for: 9) { key, _ in key == 4 ? .dead : .ordinary }
        #expect(evicted?.key == 4)
    }

    @Test("Random changes agree with a dictionary", arguments: [1, 2, 7, 64])
    func anythingThatIsDoneLeavesItConsistent(_ capacity: Int) {
        var table = ClockTable<Int, Int>(capacity: capacity)
        var known: [Int: Int] = [:]
        var random = SeededGenerator(seed: UInt64(capacity))
        for step in 0..<20_000 {
            let key = Int.random(in: 0..<2 * capacity + 2, using: &random)
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<5:
                if let evicted = table.set(step, for: key, rank: Self.ordinary) { known[evicted.key] = nil }
                known[key] = step
            case 5..<8: #expect(table.take(key) == known[key])
            case 8:
                table.remove(key)
                known[key] = nil
            default:
                guard let evicted = table.evict(rank: Self.ordinary) else { continue }
                #expect(known.removeValue(forKey: evicted.key) == evicted.element)
            }
            #expect(table.slots.count == known.count && known.count <= capacity)
        }
        for (key, element) in known { #expect(table[key] == element) }
        #expect(table.removeAll().slots.count == known.count)
        #expect(table.slots.isEmpty && table[0] == nil)
    }
}
