import FleetToken
import JOSE
import ServiceSupport

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

/// Proves to a webhook that a request comes from this service, and when.
///
/// HMAC-SHA-256 (RFC 2104) with the shared secret over the timestamp, a dot and the body. The timestamp is under the
/// signature, so that the receiver can reject old requests.
struct WebhookSignature {
    /// How many bytes a secret has at least: as many as the hash.
    static let minimumSecretSize = 32
    /// The header field with the time, in seconds since 1970.
    static let timestampField = "Fleet-Token-Timestamp"
    /// The header field with the signature: `v1=` and 64 lower-case hexadecimal digits.
    static let signatureField = "Fleet-Token-Signature"

    private let key: Secret

    /// Creates a signer with a secret file's content, whose trailing line breaks are ignored.
    ///
    /// - Throws: ``ConfigurationError`` when the secret is too short to be one.
    init(secret: Secret) throws(ConfigurationError) {
        var bytes = secret.reveal()
        while let last = bytes.last, last == UInt8(ascii: "\n") || last == UInt8(ascii: "\r") { bytes.removeLast() }
        guard bytes.count >= Self.minimumSecretSize else {
            throw ConfigurationError(
                "A webhook's secret must have at least 32 bytes. Create one with: openssl rand -hex 32"
            )
        }
        key = Secret(bytes)
    }

    /// Returns the header fields for a body.
    func fields(for body: [UInt8], at time: NumericDate) -> [(name: String, value: String)] {
        let timestamp = String(time.seconds)
        let code = HMACSHA256.code(
            for: Array(timestamp.utf8) + [UInt8(ascii: ".")] + body,
            key: key.reveal()
        )
        return [(Self.timestampField, timestamp), (Self.signatureField, "v1=\(Hexadecimal.text(code))")]
    }
}
