import NIOCore

/// When a connection ends: because what it waits for has not happened, or with the next response, because it is old.
struct ConnectionDeadline {
    /// What a connection waits for.
    enum Wait {
        /// A whole request, or the response to one.
        case exchange
        /// The next request, or a client that reads the last response.
        case idle
        /// A client that closes its side after the last response.
        case close
    }

    private let policy: ConnectionPolicy
    /// When the connection is old.
    private var end: NIODeadline
    /// When the wait ends.
    private var deadline: NIODeadline

    /// Creates the deadline of a new connection, which waits for its first request.
    init(_ policy: ConnectionPolicy, at now: NIODeadline) {
        self.policy = policy
        end = now + TimeAmount(policy.maximumAge)
        deadline = now + TimeAmount(policy.request)
    }

    /// Returns whether the next response is the last.
    func isOld(at now: NIODeadline) -> Bool { end <= now }

    /// Returns whether the connection has waited too long.
    func isOver(at now: NIODeadline) -> Bool { deadline <= now }

    /// Begins another wait.
    mutating func wait(for wait: Wait, from now: NIODeadline) {
        let time: Duration =
            switch wait {
            case .exchange: policy.request
            case .idle: policy.idle
            case .close: .seconds(2)
            }
        deadline = now + TimeAmount(time)
    }

    /// Makes the next response the last; a new connection has a second for its first request.
    mutating func shutDown(isNew: Bool, at now: NIODeadline) {
        end = now
        if isNew { deadline = min(deadline, now + .seconds(1)) }
    }
}
