import FleetToken
import Testing

@Suite("Batches of tasks")
struct TaskBatchTests {
    private func ids(_ count: Int, length: Int = 8) throws -> [ResourceID] {
        try (0..<count).map { number in
            let digits = String(number)
            return try ResourceID(String(repeating: "t", count: length - digits.count) + digits)
        }
    }

    @Test("A batch of 1 to 50 tasks keeps their order", arguments: [1, 2, 50])
    func order(count: Int) throws {
        let ids = try Array(ids(count, length: 64).reversed())
        #expect(try TaskBatch(ids).ids == ids)
    }

    @Test("No task, too many, too many bytes and a duplicate are refused")
    func refused() throws {
        let tooMany = TokenError(
            .invalidID,
            "Too many task IDs: at most 50, and 4096 bytes in total. Request one token per batch."
        )
        // Sixteen IDs of 256 bytes, of which four are different.
        let longest = try (0..<16).map { number in
            try ResourceID(String(repeating: "𝒳", count: 63) + ["𝒜", "𝒞", "𝒟", "𝒢"][number % 4], alphabet: .unicode)
        }
        #expect(longest.reduce(0) { $0 + $1.rawValue.utf8.count } == 4096)
        #expect(throws: TokenError(.invalidID, "taskIds has a duplicate.")) { try TaskBatch(longest) }
        #expect(throws: tooMany) { try TaskBatch(longest + [try ResourceID("a")]) }
        #expect(throws: tooMany) { try TaskBatch(ids(51)) }
        #expect(throws: TokenError(.missingID, "taskIds must have at least one task.")) { try TaskBatch([]) }
        #expect(throws: TokenError(.invalidID, "taskIds has a duplicate.")) { try TaskBatch(ids(3) + ids(1)) }
    }
}
