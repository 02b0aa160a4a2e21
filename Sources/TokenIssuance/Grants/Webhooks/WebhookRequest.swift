import FleetToken
import StrictCoding

/// A request to a webhook, as the bytes to send.
///
/// ```json
/// {"caller":{"method":"jwt","name":"driver-app","subject":"u-1","claims":{"role":"driver"}},
///  "kind":"trusted_delivery_driver","ids":["van-1"],"tasks":["task-1"]}
/// ```
///
/// `ids` is absent if the token would give access to everything, and `tasks` is present only for a task in addition to
/// a vehicle. ``Caller`` does not contain the caller's credential, so it cannot be sent.
struct WebhookRequest: Sendable {
    /// The JSON.
    let body: [UInt8]
    /// Whose turn the request uses: each subject has its own, as persons of one issuer have nothing in common.
    let turn: String
    /// The request's ID in the log and the audit trail.
    let requestID: String

    /// Creates a request.
    ///
    /// - Parameters:
    ///   - caller: An authenticated caller.
    ///   - scope: For what.
    ///   - claims: The names of the claims that are sent, where the caller has them.
    ///   - requestID: The request's ID in the log and the audit trail.
    init(_ caller: Caller, _ scope: TokenScope, claims: [String], requestID: String) {
        var writer = JSONWriter()
        writer.object { writer in
            writer.name("caller")
            writer.object { $0.members(of: caller, claims: claims) }
            writer.member("kind", scope.kind.rawValue)
            writer.members(of: GrantRequest.Resources(scope))
        }
        body = writer.bytes
        turn = caller.bucket
        self.requestID = requestID
    }
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
                writer.name(text: claim)
                writer.value(value)
            }
        }
    }

    fileprivate mutating func members(of resources: GrantRequest.Resources) {
        guard case .named(let id, let others, let task) = resources else { return }
        name("ids")
        array { writer in
            writer.string(id.rawValue)
            for id in others { writer.string(id.rawValue) }
        }
        guard let task else { return }
        name("tasks")
        array { $0.string(task.rawValue) }
    }
}
