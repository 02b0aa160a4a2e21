import FleetToken

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
    /// The queue that the request waits in: one for each subject.
    let queue: String

    /// Creates a request, with the claims of these names that the caller has.
    init(_ caller: Caller, _ scope: TokenScope, claims: [String]) {
        var writer = JSONWriter()
        writer.object { writer in
            writer.name("caller")
            writer.object { $0.members(of: caller, claims: claims) }
            writer.member("kind", scope.kind.rawValue)
            writer.members(of: scope.resources)
        }
        body = writer.bytes
        queue = caller.bucket
    }
}

extension JSONWriter {
    fileprivate mutating func members(of caller: Caller, claims: [String]) {
        member("method", caller.method.rawValue)
        member("name", caller.name)
        member("subject", caller.subject)
        name("claims")
        object { writer in
            for claim in claims {
                guard let value = caller.claims[claim] else { continue }
                writer.name(text: claim)
                writer.value(value)
            }
        }
    }

    fileprivate mutating func members(of resources: TokenScope.Resources) {
        switch resources {
        case .everything: break
        case .one(let id): members("ids", [id])
        case .batch(let tasks): members("ids", tasks)
        case .oneWithTask(let id, let task):
            members("ids", [id])
            members("tasks", [task])
        }
    }

    private mutating func members(_ name: StaticString, _ ids: [ResourceID]) {
        self.name(name)
        array { writer in
            for id in ids { writer.string(id.rawValue) }
        }
    }
}
