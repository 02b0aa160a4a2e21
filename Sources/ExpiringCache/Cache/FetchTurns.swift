/// Which fetches run, and which wait for their turn because enough run already.
///
/// Fetches that callers wait for go first, then those that can wait; among equals the one that came first. A fetch that
/// another fetch of this cache waits for has a turn at once: that one holds a turn already, and would hold it for ever.
struct FetchTurns<Plan: Identifiable & Sendable>: Sendable where Plan.ID == FlightID {
    /// How urgent a fetch is, the most urgent first.
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

    /// A fetch that may run, or waits until it may.
    struct Turn: Sendable {
        let plan: Plan
        /// What its task runs at.
        var priority: TaskPriority
        fileprivate var urgency: Urgency
    }

    private let limit: Int
    private var running: Set<FlightID> = []
    private var waiting: [FlightID: Turn] = [:]
    /// Who waits, by urgency.
    ///
    /// IDs only grow, so that in ascending order the first is the one that came first.
    private var rows = [[FlightID]](repeating: [], count: Urgency.allCases.count)

    init(limit: Int) {
        self.limit = max(1, limit)
    }

    /// Lets a fetch wait for its turn.
    mutating func add(_ plan: Plan, urgency: Urgency, priority: TaskPriority) {
        waiting[plan.id] = Turn(plan: plan, priority: priority, urgency: urgency)
        insert(plan.id, urgency)
    }

    /// Moves a fetch that waits to where it is more urgent, if it isn't already.
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

    /// Ends a fetch, whether it runs or waits.
    ///
    /// - Returns: The plan if it waited and so won't run; nil otherwise.
    mutating func end(_ id: FlightID) -> Plan? {
        running.remove(id)
        guard let turn = waiting.removeValue(forKey: id) else { return nil }
        remove(id, turn.urgency)
        return turn.plan
    }

    /// Begins the fetch whose turn it is; nil when none waits or enough run.
    mutating func next() -> Turn? {
        guard let row = rows.firstIndex(where: { !$0.isEmpty }),
            row == Urgency.nested.rawValue || running.count < limit,
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

    /// Where an ID is or belongs in its row.
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
