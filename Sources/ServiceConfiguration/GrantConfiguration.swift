package import FleetToken

/// One rule of who may have what.
///
/// A request needs one grant that allows all of it.
package struct GrantConfiguration: Sendable {
    /// Its name, for the audit trail.
    package var name: String
    package var callers: [String]
    /// The required claims of a caller.
    package var conditions: [ClaimCondition] = []
    package var kinds: [TokenKind]
    /// The resources that it allows.
    package var ids: IDRule
    /// The tasks that a trusted driver's token may name beside the vehicle; nil allows none.
    package var tasks: IDRule?
    /// Whether the operator enabled tokens with access to everything.
    package var isPrivileged = false
}

/// Which IDs a grant allows.
package enum IDRule: Sendable {
    /// The value of a caller's claim: a string, or a list of strings. A dot leads into an object.
    case claim(path: [String])
    /// These, and no others.
    case list([ResourceID])
    /// Those that match one of these.
    case patterns([IDPattern])
    /// All; and, with a privileged kind, everything at once.
    case any
    /// Those that a webhook allows.
    case webhook(name: String)
}

/// A service that decides whether a caller may have a token.
package struct WebhookConfiguration: Sendable, Hashable {
    package var name: String
    /// An https URL, or http to this machine.
    package var url: String
    /// The file with the secret that signs requests.
    package var secretFile: String
    /// How long it may take, in milliseconds.
    package var timeout: Int64 = 1500
    /// The maximum number of concurrent requests: at 50 milliseconds each, 2,500 a second.
    ///
    /// A caller alone can use half.
    package var concurrency: Int64 = 128
    /// The caller's claims to send.
    package var claims: [String] = []
}
