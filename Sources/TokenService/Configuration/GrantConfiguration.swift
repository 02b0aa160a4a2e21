import FleetToken

/// One rule of who may have what.
///
/// A request needs one grant that allows all of it.
struct GrantConfiguration: Sendable {
    /// Its name, for the audit trail.
    var name: String
    /// The callers that it is for.
    var callers: [String]
    /// What a caller's claims must say.
    var conditions: [ClaimCondition] = []
    /// The kinds that it allows.
    var kinds: [TokenKind]
    /// The resources that it allows.
    var ids: IDRule
    /// The tasks that a trusted driver's token may name beside the vehicle; nil allows none.
    var tasks: IDRule?
    /// Whether the operator said that it may give tokens which open everything.
    var isPrivileged = false
}

/// Which IDs a grant allows.
enum IDRule: Sendable {
    /// The value of a caller's claim: a string, or a list of strings. A dot leads into an object.
    case claim(path: [String])
    /// These, and no others.
    case list([ResourceID])
    /// Those that match a pattern.
    case pattern(IDPattern)
    /// All; and, with a privileged kind, everything at once.
    case any
    /// Those that a webhook allows.
    case webhook(name: String)
}

/// A service that decides whether a caller may have a token.
struct WebhookConfiguration: Sendable, Hashable {
    /// Its name.
    var name: String
    /// An https URL, or http to this machine.
    var url: String
    /// The file with the secret that signs requests.
    var secretFile: String
    /// How long it may take, in milliseconds.
    var timeout: Int64 = 1500
    /// How many questions may be under way at once.
    var concurrency: Int64 = 128
    /// How long an answer that allows may be remembered, in seconds; 0 asks each time.
    var cache: Int64 = 0
    /// The claims of the caller that it is told.
    var claims: [String] = []
}
