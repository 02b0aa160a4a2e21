import Testing

@testable import TokenIssuance

struct WaitingSlotsTests {
    private struct Full: Error {}

    private let slots = WaitingSlots()

    /// Takes slots for addresses in turn, each while the former ones are taken, and returns how many there were.
    private func fill(addresses: Int, taken: Int = 0) async -> Int {
        let count = try? await slots.take(for: "192.0.2.\(taken % addresses)", elseThrow: Full()) {
            () async throws(Full) -> Int in await fill(addresses: addresses, taken: taken + 1)
        }
        return count ?? taken
    }

    @Test("One address has 16 slots, and all addresses have 64", arguments: [(1, 16), (100, 64)])
    func bounds(addresses: Int, expected: Int) async {
        #expect(await fill(addresses: addresses) == expected)
        #expect(slots.count == 0)
        #expect(await fill(addresses: addresses) == expected)
    }
}
