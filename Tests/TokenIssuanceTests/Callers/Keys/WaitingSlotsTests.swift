import ServiceSupport
import Testing

@testable import TokenIssuance

struct WaitingSlotsTests {
    private struct Full: Error {}

    private let slots = WaitingSlots()

    /// Takes slots for addresses in turn, each while the former ones are taken, and returns how many there were.
    private func fill(_ addresses: [String], taken: Int = 0) async -> Int {
        let client = ClientNetwork(of: addresses[taken % addresses.count])
        let count = try? await slots.take(for: client, elseThrow: Full()) {
            () async throws(Full) -> Int in await fill(addresses, taken: taken + 1)
        }
        return count ?? taken
    }

    @Test(
        "One address has 16 slots, one /24 has 32, and all have 64",
        arguments: [
            (["192.0.2.1"], 16), ((0..<100).map { "192.0.2.\($0)" }, 32), ((0..<100).map { "192.0.\($0).1" }, 64),
        ]
    )
    func bounds(addresses: [String], expected: Int) async {
        #expect(await fill(addresses) == expected)
        #expect(slots.count == 0)
        #expect(await fill(addresses) == expected)
    }
}
