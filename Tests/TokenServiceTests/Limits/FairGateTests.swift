import Synchronization
import Testing

@testable import TokenIssuance

@Suite(.timeLimit(.minutes(1))) struct FairGateTests {
    /// Takes places that are held until the body ends.
    private func hold(
        _ asked: [(caller: String, count: Int)],
        of places: Int,
        _ body: ([String: Int], FairGate) async -> Void
    ) async {
        let gate = FairGate(places: places)
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        var held: [String: Int] = [:]
        await withTaskGroup(of: Void.self) { group in
            for (caller, count) in asked {
                for _ in 0..<count {
                    let (entries, entry) = AsyncStream.makeStream(of: Bool.self)
                    group.addTask {
                        let result: Void? = await gate.pass(caller) {
                            entry.yield(true)
                            for await _ in ends {}
                        }
                        if result == nil { entry.yield(false) }
                    }
                    var iterator = entries.makeAsyncIterator()
                    if await iterator.next() == true { held[caller, default: 0] += 1 }
                }
            }
            await body(held, gate)
            end.finish()
        }
        // All places are free again.
        #expect(await gate.pass("z") { true } == true)
    }

    @Test(arguments: [(1, 1), (2, 1), (3, 2), (8, 4), (128, 64), (1024, 512)])
    func aCallerAloneGetsHalf(places: Int, half: Int) async {
        await hold([("a", places + 5)], of: places) { held, gate in
            #expect(held == ["a": half])
            // The next still finds a place, if there is more than one.
            let other: Bool? = await gate.pass("b") { true }
            #expect(other == (places > 1 ? true : nil))
        }
    }

    @Test func noCallerIsKeptOutByTheGreedOfOthers() async {
        await hold([("a", 100), ("b", 100), ("c", 100), ("d", 1)], of: 32) { held, _ in
            #expect(held == ["a": 16, "b": 8, "c": 4, "d": 1])
        }
    }

    @Test func aPlaceIsFreeAgainWhateverHappened() async {
        let gate = FairGate(places: 1)
        await #expect(throws: CancellationError.self) {
            _ = try await gate.pass("a") { throw CancellationError() }
        }
        #expect(await gate.pass("a") { 1 } == 1)
    }
}
