package import FleetToken
package import Logging
package import ServiceSupport
package import TokenIssuance
package import TokenMinting

/// Everything that an operator decides: the YAML file, read and checked.
package struct ProductionConfiguration: Sendable {
    /// The listen address for token requests.
    package var listen = ListenAddress(host: "127.0.0.1", port: 8080)
    /// The listener's certificate; nil where a proxy in front has it.
    package var tls: TLSFiles?
    /// How long the service keeps serving after it was told to stop, so that load balancers notice.
    package var drain = Duration.seconds(5)
    /// Whether a proxy in front terminates TLS, so that this listener uses plain HTTP.
    var isBehindTLSProxy = false
    /// The proxies whose `X-Forwarded-For` is trusted.
    package var trustedProxies: [AddressRange] = []
    /// The address for health and metrics.
    package var admin = ListenAddress(host: "127.0.0.1", port: 9090)
    /// The web pages that may read responses.
    package var origins: [String] = []
    /// The kinds that are offered, and who signs them.
    package var kinds: [TokenKind: AccountConfiguration] = [:]
    package var callers: [CallerConfiguration] = []
    /// The names in the file, readable or not, so that an unreadable entry is not reported as missing elsewhere.
    var declared = DeclaredNames()
    /// The grants; requests that no grant allows are denied.
    package var grants: [GrantConfiguration] = []
    /// The webhooks that grants use.
    package var webhooks: [WebhookConfiguration] = []
    package var limits = LimitsConfiguration()
    /// The limits of the public listener's connections.
    package var connections = ConnectionPolicy()
    /// The record of decisions.
    package var audit = AuditConfiguration()
    package var logLevel = Logger.Level.info
    /// Whether nothing was wrong with the file; otherwise parts may be missing here.
    var isWhole = true
    /// Where the settings are in the file.
    package var locations = SettingLocations()
}

extension ProductionConfiguration {
    /// Returns the settings that differ from the started configuration and cannot change at run time.
    package func settingsRequiringRestart(since started: ProductionConfiguration) -> [String] {
        let settings: [(name: String, isSame: Bool)] = [
            ("service.listen", listen == started.listen),
            ("admin.listen", admin == started.admin),
            ("service.tls", (tls == nil) == (started.tls == nil)),
            ("service.trustedProxies", trustedProxies == started.trustedProxies),
            ("service.drain", drain == started.drain),
            ("service.requestTimeout", connections.request == started.connections.request),
            ("service.idleTimeout", connections.idle == started.connections.idle),
            ("limits.connections", connections.maximumConnections == started.connections.maximumConnections),
            ("audit", audit == started.audit),
        ]
        return settings.filter { !$0.isSame }.map(\.name)
    }
}
