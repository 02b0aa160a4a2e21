/// Schedules fetches: limits how many run at once and queues the others.
///
/// Fetches with waiting callers go first, then background fetches; equal ones go in order of arrival. A fetch that
/// another fetch of this cache waits for starts immediately: the other already holds a slot, and would hold it forever.
struct FetchTurns<Plan: Identifiable & Sendable>: Sendable where Plan.ID == FlightID {
    /// The urgency of a fetch, most urgent first.
    enum Urgency: Int, CaseIterable, Sendable {
        /// Another fetch waits for it.
        case nested
        /// A caller waits for it.
        case foreground
        /// No caller waits for it, or only callers of low priority.
        case background

        init(_ priority: TaskPriority) {
            self = priority <= .utility ? .background : .foreground
        }
    }

    /// A fetch that runs or is queued.
    struct Turn: Sendable {
        let plan: Plan
        /// The priority of its task.
        var priority: TaskPriority
        fileprivate var urgency: Urgency
    }

    private let limit: Int
    private var running: Set<FlightID> = []
    private var waiting: [FlightID: Turn] = [:]
    /// The queued fetches, by urgency.
    ///
    /// IDs only increase, so the first in ascending order arrived first.
    private var rows = [[FlightID]](repeating: [], count: Urgency.allCases.count)

    init(limit: Int) {
        self.limit = max(1, limit)
    }

    /// Adds a fetch to the queue.
    mutating func add(_ plan: Plan, urgency: Urgency, priority: TaskPriority) {
        waiting[plan.id] = Turn(plan: plan, priority: priority, urgency: urgency)
        insert(plan.id, urgency)
    }

    /// Moves a queued fetch to a more urgent queue, if it isn't there already.
    mutating func hurry(_ id: FlightID, urgency: Urgency, priority: TaskPriority) {
        guard var turn = waiting[id] else { return }
        turn.priority = max(turn.priority, priority)
        if urgency.rawValue < turn.urgency.rawValue {
            remove(id, turn.urgency)
            insert(id, urgency)
            turn.urgency = urgency
        }
        waiting[id] = turn
    }

    /// Ends a fetch, whether it runs or is queued.
    ///
    /// - Returns: The plan if the fetch was queued and so never runs; nil otherwise.
    mutating func end(_ id: FlightID) -> Plan? {
        running.remove(id)
        guard let turn = waiting.removeValue(forKey: id) else { return nil }
        remove(id, turn.urgency)
        return turn.plan
    }

    /// Starts the next queued fetch.
    ///
    /// - Parameter isAllowed: Returns whether one more fetch may run beside these.
    /// - Returns: The fetch; nil when none is queued or a limit is reached.
    mutating func next(_ isAllowed: (Set<FlightID>) -> Bool = { _ in true }) -> Turn? {
        guard let row = rows.firstIndex(where: { !$0.isEmpty }),
            row == Urgency.nested.rawValue || running.count < limit && isAllowed(running),
            let turn = waiting.removeValue(forKey: rows[row].removeFirst())
        else { return nil }
        running.insert(turn.plan.id)
        return turn
    }

    private mutating func insert(_ id: FlightID, _ urgency: Urgency) {
        rows[urgency.rawValue].insert(id, at: position(of: id, urgency))
    }

    private mutating func remove(_ id: FlightID, _ urgency: Urgency) {
        let position = position(of: id, urgency)
        guard position < rows[urgency.rawValue].count, rows[urgency.rawValue][position] == id else { return }
        rows[urgency.rawValue].remove(at: position)
    }

    /// Returns the index of an ID in its queue, or the index to insert it at.
    private func position(of id: FlightID, _ urgency: Urgency) -> Int {
        let row = rows[urgency.rawValue]
        var (low, high) = (0, row.count)
        while low < high {
            let middle = (low + high) / 2
            if row[middle] < id { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
