import Testing

@testable import ExpiringCache

/// In which order fetches run, and how many at once.
struct FetchQueueTests {
    private struct Plan: Identifiable, Sendable {
        let id: FlightID
    }

    private var queue = FetchQueue<Plan>(limit: 2)

    private mutating func add(_ ids: ClosedRange<FlightID>, _ urgency: FetchQueue<Plan>.Urgency = .foreground) {
        for id in ids { queue.add(Plan(id: id), urgency: urgency, priority: .medium) }
    }

    /// Whose turn it is, until enough run or none waits.
    private mutating func start() -> [FlightID] {
        var started: [FlightID] = []
        while let next = queue.next() { started.append(next.plan.id) }
        return started
    }

    private mutating func end(_ id: FlightID) -> FlightID? { queue.end(id)?.id }

    @Test mutating func limitHoldsAndTheFirstToComeIsFirst() {
        add(1...5)
        #expect(start() == [1, 2])
        #expect(end(2) == nil)
        #expect(start() == [3])
        #expect(end(1) == nil)
        #expect(end(3) == nil)
        #expect(start() == [4, 5])
    }

    @Test mutating func thoseThatCallersWaitForGoFirst() {
        add(1...4, .background)
        add(5...6)
        #expect(start() == [5, 6])
        _ = end(5)
        #expect(start() == [1])
    }

    @Test mutating func oneThatACallerJoinsMovesToItsPlaceAmongTheUrgent() {
        add(1...3, .background)
        add(4...5)
        queue.hurry(2, urgency: .foreground, priority: .high)
        queue.hurry(2, urgency: .background, priority: .low)
        let first = queue.next()
        #expect(first?.plan.id == 2)
        #expect(first?.priority == .high)
        #expect(start() == [4])
    }

    @Test mutating func oneThatAFetchWaitsForNeedsNoTurn() {
        add(1...3)
        #expect(start() == [1, 2])
        add(4...4, .nested)
        queue.hurry(3, urgency: .nested, priority: .medium)
        #expect(start() == [3, 4])
        _ = end(3)
        _ = end(4)
        add(5...5)
        #expect(start() == [])
    }

    @Test mutating func oneThatEndsBeforeItsTurnNeverRuns() {
        add(1...4)
        #expect(start() == [1, 2])
        #expect(end(3) == 3)
        #expect(end(3) == nil)
        queue.hurry(3, urgency: .nested, priority: .medium)
        _ = end(1)
        #expect(start() == [4])
    }

    @Test mutating func thereIsAlwaysOneTurn() {
        queue = FetchQueue(limit: 0)
        add(1...2)
        #expect(start() == [1])
    }

    @Test func lowPrioritiesCanWait() {
        typealias Urgency = FetchQueue<Plan>.Urgency
        let low: [TaskPriority] = [.background, .utility, .low]
        let high: [TaskPriority] = [.medium, .high, .userInitiated]
        #expect(low.allSatisfy { Urgency($0) == .background })
        #expect(high.allSatisfy { Urgency($0) == .foreground })
    }
}
