/// Requests that wait: callers take turns, and each caller's requests are served in the order in which they came.
///
/// It is not generic: each access to a generic dictionary of another module would allocate.
struct FairQueue {
    /// A request that waits.
    struct Request {
        let id: AdmissionQueue.ID
        /// When it came, in nanoseconds.
        let arrival: Int64
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

    /// Removes and returns the next request.
    ///
    /// - Parameter mayTake: Whether a caller may have its turn; its place in the order is kept otherwise.
    /// - Returns: The request and its caller; nil if there is none.
    mutating func popFirst(where mayTake: (_ caller: String) -> Bool) -> (Request, caller: String)? {
        guard let position = turns.firstIndex(where: mayTake) else { return nil }
        let caller = turns[position]
        guard let request = remove(at: 0, of: caller) else { return nil }
        if waiting[caller] != nil { turns.append(turns.remove(at: position)) }
        return (request, caller)
    }

    /// Removes a request.
    ///
    /// - Returns: Whether it waited.
    mutating func remove(_ id: AdmissionQueue.ID, of caller: String) -> Bool {
        guard let index = waiting[caller]?.firstIndex(where: { $0.id == id }) else { return false }
        return remove(at: index, of: caller) != nil
    }

    /// Removes and returns the newest request of the caller with most requests.
    ///
    /// - Parameter preferred: The caller that is chosen where several have as many.
    /// - Returns: The request; nil if there is none.
    mutating func removeNewest(preferring preferred: String) -> Request? {
        // A caller's requests that were held here would be copied when one is removed.
        let most = waiting.values.lazy.map(\.count).max() ?? 0
        let caller = waiting[preferred]?.count == most ? preferred : waiting.first { $0.value.count == most }?.key
        guard let caller else { return nil }
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
