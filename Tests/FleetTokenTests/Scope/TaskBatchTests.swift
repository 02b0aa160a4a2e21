import FleetToken
import Testing

@Suite struct TaskBatchTests {
    private func ids(_ count: Int, length: Int = 8) throws -> [ResourceID] {
        try (0..<count).map { number in
            let digits = String(number)
            return try ResourceID(String(repeating: "t", count: length - digits.count) + digits)
        }
    }

    @Test(arguments: [1, 2, 50])
    func keepsTheOrder(count: Int) throws {
        let ids = try Array(ids(count).reversed())
        #expect(try TaskBatch(ids).ids == ids)
    }

    @Test func holdsSoManyBytes() throws {
        let longest = try (0..<16).map { number in
            try ResourceID(String(repeating: "𝒳", count: 63) + ["𝒜", "𝒞", "𝒟", "𝒢"][number % 4], alphabet: .unicode)
        }
        // Sixteen IDs of 256 bytes, of which four are different.
        #expect(longest.reduce(0) { $0 + $1.rawValue.utf8.count } == TaskBatch.maximumBytes)
        #expect(try TaskBatch(ids(50, length: 64)).ids.count == 50)
        let error = try #require(throws: TokenError.self) { try TaskBatch(longest + [try ResourceID("a")]) }
        #expect(error.message == "Too many task IDs: at most 50, and 4096 bytes in total. Request one token per batch.")
    }

    @Test func refusesNone() throws {
        let error = try #require(throws: TokenError.self) { try TaskBatch([]) }
        #expect(error == TokenError(.missingID, "taskIds must have at least one task."))
    }

    @Test func refusesTooMany() throws {
        let error = try #require(throws: TokenError.self) { try TaskBatch(ids(51)) }
        #expect(error.reason == .invalidID)
        #expect(error.message == "Too many task IDs: at most 50, and 4096 bytes in total. Request one token per batch.")
    }

    @Test func refusesOneTwice() throws {
        let error = try #require(throws: TokenError.self) { try TaskBatch(ids(3) + ids(1)) }
        #expect(error == TokenError(.invalidID, "taskIds has a duplicate."))
    }
}
