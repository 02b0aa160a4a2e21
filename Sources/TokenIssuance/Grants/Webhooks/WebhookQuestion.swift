import FleetToken
import StrictCoding

/// What a webhook is asked: the bytes that are sent.
///
/// ```json
/// {"caller":{"method":"jwt","name":"driver-app","subject":"u-1","claims":{"role":"driver"}},
///  "kind":"trusted_delivery_driver","ids":["van-1"],"tasks":["task-1"]}
/// ```
///
/// `ids` is absent where the token would open everything, and `tasks` is there only for a task beside a vehicle. The
/// caller's own credential is no part of ``Caller`` and so cannot be sent.
struct WebhookQuestion: Sendable {
    /// The JSON.
    let body: [UInt8]
    /// Whose question it is, among all callers'.
    let asker: String
    /// What the log and the audit trail know the request by.
    let requestID: String

    /// A question.
    ///
    /// - Parameters:
    ///   - caller: Who asks.
    ///   - scope: For what.
    ///   - claims: The names of the claims that are sent, where the caller has them.
    ///   - requestID: What the log and the audit trail know the request by.
    init(_ caller: Caller, _ scope: TokenScope, claims: [String], requestID: String) {
        var writer = JSONWriter()
        writer.object { writer in
            writer.name("caller")
            writer.object { $0.members(of: caller, claims: claims) }
            writer.name("kind")
            writer.string(scope.kind.rawValue)
            writer.members(of: GrantRequest.Resources(scope))
        }
        body = writer.bytes
        asker = "\(caller.name)\u{0}\(caller.subject)"
        self.requestID = requestID
    }
}

/// Two questions are the same when everything is that the webhook decides by; the request ID is not.
extension WebhookQuestion: Hashable {
    static func == (lhs: Self, rhs: Self) -> Bool { lhs.body == rhs.body }

    func hash(into hasher: inout Hasher) { hasher.combine(body) }
}

extension JSONWriter {
    fileprivate mutating func members(of caller: Caller, claims: [String]) {
        name("method")
        string(caller.method.rawValue)
        name("name")
        string(caller.name)
        name("subject")
        string(caller.subject)
        name("claims")
        object { writer in
            for claim in claims {
                guard let value = caller.claims[claim] else { continue }
                writer.name(claim)
                writer.value(value)
            }
        }
    }

    fileprivate mutating func members(of resources: GrantRequest.Resources) {
        guard case .named(let ids, let tasks) = resources else { return }
        name("ids")
        array { writer in
            for id in ids { writer.string(id.rawValue) }
        }
        guard !tasks.isEmpty else { return }
        name("tasks")
        array { writer in
            for task in tasks { writer.string(task.rawValue) }
        }
    }
}
