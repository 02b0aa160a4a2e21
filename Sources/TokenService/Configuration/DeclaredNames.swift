import FleetToken

/// The names in a configuration file, valid or not.
struct DeclaredNames: Sendable, Hashable {
    /// Whether there is something under `service.tls`.
    var tls = false
    /// The kinds under `kinds`.
    var kinds: Set<TokenKind> = []
    /// The names under `callers`.
    var callers: Set<String> = []
    /// The names under `webhooks`.
    var webhooks: Set<String> = []
}
