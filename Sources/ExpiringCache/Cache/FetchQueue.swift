/// Schedules fetches: limits how many run at once and queues the others.
///
/// Fetches with waiting callers go first, then background fetches; equal ones go in order of arrival. A fetch that
/// another fetch of this cache waits for starts immediately: the other already holds a slot, and would hold it forever.
struct FetchQueue<Plan: Identifiable & Sendable>: Sendable where Plan.ID == FlightID {
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
    struct Item: Sendable {
        let plan: Plan
        /// The priority of its task.
        var priority: TaskPriority
        fileprivate var urgency: Urgency
    }

    private let limit: Int
    private var running: Set<FlightID> = []
    private var queued: [FlightID: Item] = [:]
    /// The queued fetches, by urgency and in ascending order: IDs only increase, so the first arrived first.
    private var rows = [[FlightID]](repeating: [], count: Urgency.allCases.count)

    init(limit: Int) {
        self.limit = max(1, limit)
    }

    /// Adds a fetch to the queue.
    mutating func add(_ plan: Plan, urgency: Urgency, priority: TaskPriority) {
        insert(Item(plan: plan, priority: priority, urgency: urgency))
    }

    /// Moves a queued fetch to a more urgent queue, if it isn't there already.
    mutating func hurry(_ id: FlightID, urgency: Urgency, priority: TaskPriority) {
        guard var item = queued[id] else { return }
        item.priority = max(item.priority, priority)
        guard urgency.rawValue < item.urgency.rawValue else { return queued[id] = item }
        remove(item)
        item.urgency = urgency
        insert(item)
    }

    /// Ends a fetch, whether it runs or is queued.
    ///
    /// - Returns: The plan if the fetch was queued and so never runs; nil otherwise.
    mutating func end(_ id: FlightID) -> Plan? {
        running.remove(id)
        guard let item = queued.removeValue(forKey: id) else { return nil }
        remove(item)
        return item.plan
    }

    /// Starts the next queued fetch.
    ///
    /// - Parameter isAllowed: Returns whether one more fetch may run beside these.
    /// - Returns: The fetch; nil when none is queued or a limit is reached.
    mutating func next(_ isAllowed: (Set<FlightID>) -> Bool = { _ in true }) -> Item? {
        guard let row = rows.firstIndex(where: { !$0.isEmpty }),
            row == Urgency.nested.rawValue || running.count < limit && isAllowed(running),
            let item = queued.removeValue(forKey: rows[row].removeFirst())
        else { return nil }
        running.insert(item.plan.id)
        return item
    }

    private mutating func insert(_ item: Item) {
        queued[item.plan.id] = item
        // A new fetch is the last; one that is hurried may have arrived before others.
        let previous = rows[item.urgency.rawValue].lastIndex { $0 < item.plan.id }
        rows[item.urgency.rawValue].insert(item.plan.id, at: previous.map { $0 + 1 } ?? 0)
    }

    private mutating func remove(_ item: Item) {
        rows[item.urgency.rawValue].removeAll { $0 == item.plan.id }
    }
}
