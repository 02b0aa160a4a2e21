package import FleetToken
package import Logging

/// Everything that an operator decides: the YAML file, read and checked.
package struct ProductionConfiguration: Sendable {
    /// Where tokens are asked for.
    package var listen = ListenAddress(host: "127.0.0.1", port: 8080)
    /// The listener's certificate; nil where a proxy in front has it.
    package var tls: TLSFiles?
    /// Whether clients may choose HTTP/2, which needs TLS.
    package var http2 = true
    /// How long the service goes on after it was told to end, in seconds, so that load balancers can see that it will.
    package var drain = 5
    /// For how many seconds a token is handed out again; 0 for not at all.
    package var reuse = 240
    /// Whether a proxy in front ends TLS, so that this listener speaks plain HTTP.
    var isBehindTLSProxy = false
    /// The proxies whose `X-Forwarded-For` is believed.
    package var trustedProxies: [AddressRange] = []
    /// Where health and metrics are.
    package var admin = ListenAddress(host: "127.0.0.1", port: 9090)
    /// The web pages that may read answers.
    package var origins: [String] = []
    /// Which scalars IDs may have.
    package var alphabet = ResourceID.Alphabet.ascii
    /// Further keys of the answer's body.
    package var aliases: [ResponseAlias] = []
    /// The kinds that are offered, and who signs them.
    package var kinds: [TokenKind: KindConfiguration] = [:]
    /// Who may ask.
    package var callers: [CallerConfiguration] = []
    /// What the file has, whether it could be read or not: nothing else is missing because of it.
    var declared = DeclaredNames()
    /// Who may have what; whatever no grant allows is denied.
    package var grants: [GrantConfiguration] = []
    /// The services that grants ask.
    package var webhooks: [WebhookConfiguration] = []
    /// How much is too much.
    package var limits = LimitsConfiguration()
    /// Where each decision is recorded.
    package var audit = AuditConfiguration()
    /// The least level that is logged.
    package var logLevel = Logger.Level.info
}

/// What a configuration file has in it, well-formed or not.
struct DeclaredNames: Sendable, Hashable {
    /// Whether there is something under `service.tls`.
    var tls = false
    /// The kinds under `kinds`.
    var kinds: Set<TokenKind> = []
    /// The names under `callers`.
    var callers: Set<ConfigurationName> = []
    /// The names under `webhooks`.
    var webhooks: Set<ConfigurationName> = []
}

/// A certificate and what belongs to it, by file.
package struct TLSFiles: Sendable, Hashable {
    /// The certificate chain, PEM.
    package var certificate: String
    /// The private key, PEM.
    package var key: String
    /// The authorities that sign clients' certificates, PEM; nil where none are asked for.
    package var clientAuthorities: String?
}
