import Testing

@testable import TokenIssuance

/// The queue by itself: those who wait are numbers, and the time is what a test says.
struct AuditQueueTests {
    private static let second: Int64 = 1_000_000_000
    private let line = [UInt8](repeating: 0x20, count: 72)

    private func queue(limit: Int = 1000, seconds: Int64 = 3) -> Subject {
        Subject(AuditQueue(limit: limit, timeout: seconds * Self.second))
    }

    @Test
    func `The writer is called once and continues while there are lines`() {
        let queue = queue()
        #expect(queue.add(line, 1, at: 0).callsWriter)
        #expect(queue.take() == 1)
        #expect(!queue.add(line, 2, at: 0).callsWriter)
        #expect(!queue.add(line, 3, at: 0).callsWriter)
        #expect(queue.finish() == [1])
        #expect(queue.take() == 2)
        #expect(queue.finish() == [2, 3])
        #expect(queue.take() == nil)
        #expect(queue.add(line, 3, at: 0).callsWriter)
    }

    @Test
    func `A line past the bound is refused as overload, not as a stall`() {
        // Each line counts 200 bytes.
        let queue = queue(limit: 500)
        #expect(queue.add(line, 1, at: 0).error == nil)
        #expect(queue.add(line, 2, at: 0).error == nil)
        #expect(queue.add(line, 3, at: 0).error == .overloaded)
        #expect(queue.take() == 2)
        // One that is larger than the bound has to be written, too.
        #expect(queue.add(line + line + line + line + line + line, 4, at: 0).error == nil)
        #expect(queue.finish() == [1, 2])
    }

    @Test
    func `Each request waits until its own deadline, and its line is withdrawn`() {
        let queue = queue()
        _ = queue.add(line, 1, at: 0)
        _ = queue.take()
        _ = queue.add(line, 2, at: Self.second)
        _ = queue.add(line, 3, at: 2 * Self.second)
        #expect(queue.expire(at: 3 * Self.second - 1) == [])
        #expect(queue.expire(at: 3 * Self.second) == [1])
        #expect(queue.expire(at: 4 * Self.second) == [2])
        #expect(queue.finish() == [])
        #expect(queue.take(at: 4 * Self.second) == 1)
        #expect(queue.finish() == [3])
        #expect(queue.take() == nil)
        // The bytes of withdrawn lines are free again.
        for waiter in 4..<9 { #expect(queue.add(line, waiter, at: 0).error == nil) }
    }

    @Test
    func `While a write takes longer than the timeout, new lines are refused at once`() {
        let queue = queue()
        _ = queue.add(line, 1, at: 0)
        _ = queue.take(at: 0)
        #expect(queue.add(line, 2, at: 3 * Self.second - 1).error == nil)
        #expect(queue.add(line, 3, at: 3 * Self.second).error == .stalled)
        #expect(queue.addCheck(4, at: Self.second).error == .stalled)
        #expect(queue.error(at: Self.second - 1) == .overloaded)
        #expect(queue.error(at: Self.second) == .stalled)
        _ = queue.finish()
        #expect(queue.add(line, 5, at: 3 * Self.second).error == nil)
    }

    @Test
    func `A check is one of the sink and waits for a second`() {
        let queue = queue()
        #expect(queue.addCheck(1, at: 0).callsWriter)
        #expect(queue.take() == 0)
        #expect(queue.finish() == [1])
        #expect(queue.take() == nil)
        _ = queue.add(line, 2, at: 0)
        _ = queue.take()
        _ = queue.addCheck(3, at: 0)
        // The line has more time.
        #expect(queue.expire(at: Self.second) == [3])
        #expect(queue.finish() == [2])
    }
}

/// A queue that can be asked inside an expectation.
private final class Subject {
    private var queue: AuditQueue<Int>

    init(_ queue: AuditQueue<Int>) {
        self.queue = queue
    }

    func add(_ line: [UInt8], _ waiter: Int, at now: Int64) -> AuditQueue<Int>.Admission {
        queue.add(line, waiter, at: now)
    }

    func addCheck(_ waiter: Int, at now: Int64) -> AuditQueue<Int>.Admission { queue.addCheck(waiter, at: now) }

    /// How many lines the writer gets; nil when it has nothing to do.
    func take(at now: Int64 = 0) -> Int? { queue.take(at: now)?.count { $0.line != nil } }

    func finish() -> [Int] { queue.finish().map(\.waiter) }

    func error(at now: Int64) -> AuditTrail.WriteError { queue.error(at: now) }

    func expire(at now: Int64) -> [Int] { queue.expire(at: now) }
}
