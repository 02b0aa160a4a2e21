import FleetToken
import Testing

@Suite("Batches of tasks")
struct TaskBatchTests {
    private let ids = (0..<51).compactMap { try? ResourceID("t-\($0)") }

    @Test("A batch keeps the order of its tasks")
    func order() throws {
        #expect(try TaskBatch(ids.reversed()).ids == ids.reversed())
    }

    @Test("No task and a duplicate are refused")
    func refused() throws {
        #expect(throws: TokenError(.missingID, "taskIds must have at least one task.")) { try TaskBatch([]) }
        #expect(throws: TokenError(.invalidID, "taskIds has a duplicate.")) { try TaskBatch(ids + [ids[0]]) }
    }
}
