import Testing

@testable import TokenIssuance

/// The queue by itself: those who wait are numbers, and the time is what a test says.
struct AuditQueueTests {
    private static let second: Int64 = 1_000_000_000
    private let line = AuditLineDraft(object: [UInt8](repeating: 0x20, count: 72))

    private func queue(limit: Int = 1000, seconds: Int64 = 3) -> Subject {
        Subject(AuditQueue(limit: limit, timeout: seconds * Self.second))
    }

    @Test func linesThatComeTogetherAreWrittenTogether() {
        let queue = queue()
        #expect(queue.gather())
        for waiter in 1...3 {
            #expect(!queue.gather())
            #expect(!queue.add([line], waiter, isLast: false, at: 0).callsWriter)
        }
        #expect(queue.add([line], 4, isLast: true, at: 0).callsWriter)
        #expect(queue.take() == 4)
        let result = queue.finish()
        #expect(result.writers == [1, 2, 3, 4] && result.isInTime)
    }

    @Test func theWriterIsCalledOnceAndGoesOnWhileThereAreLines() {
        let queue = queue()
        #expect(queue.add([line], 1, isLast: false, at: 0).callsWriter)
        #expect(queue.take() == 1)
        #expect(!queue.add([line, line], 2, isLast: false, at: 0).callsWriter)
        #expect(queue.finish().writers == [1])
        #expect(queue.take() == 2)
        #expect(queue.finish().writers == [2])
        #expect(queue.take() == nil)
        #expect(queue.add([line], 3, isLast: false, at: 0).callsWriter)
    }

    @Test func whatIsBeyondTheBoundIsRefusedAtOnce() {
        // Each line counts 200 bytes.
        let queue = queue(limit: 500)
        #expect(queue.add([line], 1, isLast: false, at: 0).obstacle == nil)
        #expect(queue.add([line], 2, isLast: false, at: 0).obstacle == nil)
        #expect(queue.add([line], 3, isLast: false, at: 0).obstacle == .full)
        #expect(queue.take() == 2)
        // All or none, and those that are larger than the bound have to be written, too.
        #expect(queue.add([line, line, line], 4, isLast: false, at: 0).obstacle == nil)
        #expect(queue.finish().writers == [1, 2])
    }

    /// Who gathers lines calls the writer for the others', though its own is refused.
    @Test func aRefusedLineDoesNotHoldUpTheOthers() {
        let queue = queue(limit: 200)
        #expect(queue.gather())
        #expect(!queue.add([line], 1, isLast: false, at: 0).callsWriter)
        let admission = queue.add([line], 2, isLast: true, at: 0)
        #expect(admission.obstacle == .full && admission.callsWriter)
    }

    @Test func aWriteThatTakesTooLongStallsTheTrail() {
        let queue = queue()
        _ = queue.add([line], 1, isLast: false, at: 0)
        _ = queue.take()
        _ = queue.add([line], 2, isLast: false, at: 2 * Self.second)
        #expect(queue.expire(at: 3 * Self.second - 1) == [])
        #expect(!queue.isStalled)
        #expect(queue.expire(at: 3 * Self.second) == [1, 2])
        #expect(queue.isStalled)
        #expect(queue.add([line], 3, isLast: false, at: 4 * Self.second).obstacle == .stalled)
        #expect(queue.addCheck(4, at: 4 * Self.second).obstacle == .stalled)
        let result = queue.finish()
        #expect(result.writers == [] && !result.isInTime)
        // The second line was withdrawn.
        #expect(queue.take() == nil)
        #expect(queue.add([line], 5, isLast: false, at: 5 * Self.second).callsWriter)
    }

    /// It has no one who waits, and holds up those who come meanwhile.
    @Test func aLineOfTheTrailsOwnCanStallItToo() {
        let queue = queue()
        _ = queue.add([line], 1, isLast: false, at: 0)
        _ = queue.take()
        _ = queue.finish()
        #expect(queue.take(hasMore: true) == 0)
        _ = queue.add([line], 2, isLast: false, at: 0)
        #expect(queue.expire(at: 3 * Self.second) == [2])
        #expect(queue.isStalled)
        _ = queue.finish()
        #expect(!queue.isStalled)
    }

    /// Where the system has no thread for the writer.
    @Test func aWriterThatNeverComesIsNotWaitedFor() {
        let queue = queue()
        _ = queue.add([line], 1, isLast: false, at: 0)
        #expect(queue.expire(at: 3 * Self.second) == [1])
        #expect(queue.take() == nil)
        #expect(queue.add([line], 2, isLast: false, at: 0).callsWriter)
    }

    @Test func aCheckIsOneOfTheSinkAndWaitsForASecond() {
        let queue = queue()
        #expect(queue.addCheck(1, at: 0).callsWriter)
        #expect(queue.take() == 0)
        #expect(queue.isCheckDue)
        #expect(queue.finish().checkers == [1])
        #expect(queue.take() == nil)
        _ = queue.add([line], 2, isLast: false, at: 0)
        _ = queue.take()
        #expect(!queue.isCheckDue)
        _ = queue.addCheck(3, at: 0)
        #expect(queue.expire(at: Self.second) == [3])
        // The line has more time.
        #expect(queue.addCheck(4, at: Self.second).obstacle == .stalled)
        #expect(!queue.isStalled)
        #expect(queue.finish().writers == [2])
    }
}

/// A queue that can be asked inside an expectation.
private final class Subject {
    private var queue: AuditQueue<Int>

    init(_ queue: AuditQueue<Int>) {
        self.queue = queue
    }

    var isStalled: Bool { queue.isStalled }
    var isCheckDue: Bool { queue.isCheckDue }

    func gather() -> Bool { queue.gather() }

    func add(_ lines: [AuditLineDraft], _ waiter: Int, isLast: Bool, at now: Int64) -> AuditQueue<Int>.Admission {
        queue.add(lines, waiter, isLast: isLast, at: now)
    }

    func addCheck(_ waiter: Int, at now: Int64) -> AuditQueue<Int>.Admission { queue.addCheck(waiter, at: now) }

    /// How many lines the writer gets; nil when it has nothing to do.
    func take(hasMore: Bool = false) -> Int? {
        var lines: [AuditLineDraft] = []
        return queue.take(&lines, hasMore: hasMore) ? lines.count : nil
    }

    func finish() -> (writers: [Int], checkers: [Int], isInTime: Bool) {
        var (writers, checkers) = (AuditQueue<Int>.Waiters(), AuditQueue<Int>.Waiters())
        let isInTime = queue.finish(&writers, &checkers)
        return (writers.all, checkers.all, isInTime)
    }

    func expire(at now: Int64) -> [Int] {
        var expired: [Int] = []
        queue.expire(at: now, &expired)
        return expired
    }
}
