/// Requests that wait: callers take turns, and each caller's requests are served in the order in which they came.
///
/// It is not generic: each access to a generic dictionary of another module would allocate.
struct FairQueue {
    /// A request that waits.
    struct Request: Sendable {
        /// Another one for each request of a queue.
        let id: Int64
        /// When it came, on a clock that only goes forward, in nanoseconds.
        let arrival: Int64
        /// Begins what it waits for, or ends its wait with an error.
        let end: @Sendable (Result<Void, any Error>) -> Void
    }

    /// The requests of each caller that has some, the oldest first.
    private var waiting: [String: [Request]] = [:]
    /// The callers with requests, in the order of their turns.
    private var turns: [String] = []
    /// The number of requests.
    private(set) var count = 0

    /// Adds a request; a caller without others has its turn after those of all others.
    mutating func append(_ request: Request, of caller: String) {
        if waiting[caller] == nil { turns.append(caller) }
        waiting[caller, default: []].append(request)
        count += 1
    }

    /// Removes and returns the next request of a caller that may have its turn; the place of the others is kept.
    mutating func popFirst(where mayTake: (_ caller: String) -> Bool) -> (Request, caller: String)? {
        guard let position = turns.firstIndex(where: mayTake) else { return nil }
        let caller = turns[position]
        guard let request = remove(at: 0, of: caller) else { return nil }
        if waiting[caller] != nil { turns.append(turns.remove(at: position)) }
        return (request, caller)
    }

    /// Removes and returns a request; nil if it does not wait.
    mutating func remove(_ id: Int64, of caller: String) -> Request? {
        waiting[caller]?.firstIndex { $0.id == id }.flatMap { remove(at: $0, of: caller) }
    }

    /// Removes and returns the newest request of the caller with most requests, preferably of this one.
    mutating func removeNewest(preferring preferred: String, ofAtLeast least: Int = 1) -> Request? {
        // A caller's requests that were held here would be copied when one is removed.
        let most = waiting.values.lazy.map(\.count).max() ?? 0
        let caller = waiting[preferred]?.count == most ? preferred : waiting.first { $0.value.count == most }?.key
        guard let caller, most >= least else { return nil }
        return remove(at: most - 1, of: caller)
    }

    private mutating func remove(at index: Int, of caller: String) -> Request? {
        guard let request = waiting[caller]?.remove(at: index) else { return nil }
        count -= 1
        if waiting[caller]?.isEmpty == true {
            waiting[caller] = nil
            if let position = turns.firstIndex(of: caller) { turns.remove(at: position) }
        }
        return request
    }
}
