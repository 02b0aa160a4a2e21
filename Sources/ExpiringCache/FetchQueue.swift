/// Schedules fetches: limits how many run at once and queues the others.
///
/// Fetches with waiting callers go first, then background fetches; equal ones go in order of arrival. A fetch that
/// another fetch of this cache waits for starts immediately: the other already holds a slot, and would hold it forever.
struct FetchQueue<Plan: Identifiable & Sendable>: Sendable where Plan.ID == FlightID {
    /// The urgency of a fetch, most urgent first.
    enum Urgency: Int, Comparable, Sendable {
        /// Another fetch waits for it.
        case nested
        /// A caller waits for it.
        case foreground
        /// No caller waits for it.
        case background

        static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }
    }

    private typealias Item = (plan: Plan, urgency: Urgency)

    private let limit: Int
    private var running: Set<FlightID> = []
    /// The queued fetches, in the order in which they start.
    private var queued: [Item] = []

    init(limit: Int) {
        self.limit = max(1, limit)
    }

    /// Adds a fetch to the queue.
    mutating func add(_ plan: Plan, _ urgency: Urgency) {
        // IDs only increase, so the first arrived first. From the end: a new fetch is usually the last.
        let previous = queued.lastIndex { ($0.urgency, $0.plan.id) < (urgency, plan.id) }
        queued.insert((plan, urgency), at: previous.map { $0 + 1 } ?? 0)
    }

    /// Makes a queued fetch more urgent, if it isn't already.
    mutating func hurry(_ id: FlightID, _ urgency: Urgency) {
        guard let index = queued.lastIndex(where: { $0.plan.id == id }), urgency < queued[index].urgency else { return }
        add(queued.remove(at: index).plan, urgency)
    }

    /// Ends a fetch; one that was queued never runs.
    mutating func end(_ id: FlightID) {
        if running.remove(id) == nil { queued.removeAll { $0.plan.id == id } }
    }

    /// Starts the next queued fetch.
    ///
    /// - Parameter isAllowed: Returns whether one more fetch may run beside these.
    /// - Returns: The fetch; nil when none is queued or a limit is reached.
    mutating func next(_ isAllowed: (Set<FlightID>) -> Bool = { _ in true }) -> Plan? {
        guard let first = queued.first, first.urgency == .nested || running.count < limit && isAllowed(running) else {
            return nil
        }
        running.insert(first.plan.id)
        return queued.removeFirst().plan
    }
}
