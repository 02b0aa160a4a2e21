import ServiceSupport

extension ProductionConfiguration {
    /// Returns the settings that differ from the started configuration and cannot change at run time.
    ///
    /// - Returns: Their names.
    package func settingsForTheNextStart(since started: ProductionConfiguration) -> [String] {
        let settings: [(name: String, isSame: Bool)] = [
            ("service.listen", listen == started.listen),
            ("admin.listen", admin == started.admin),
            ("service.tls", (tls == nil) == (started.tls == nil)),
            (
                "service.tls.clientAuthorities",
                (tls?.clientAuthorities == nil) == (started.tls?.clientAuthorities == nil)
            ),
            // Callers' addresses follow the new value at once; connection counts follow the old one.
            ("service.trustedProxies", trustedProxies == started.trustedProxies),
            ("service.drainSeconds", drain == started.drain),
            ("limits.redis", limits.redis == started.limits.redis),
            ("limits.connections", limits.connections == started.limits.connections),
            ("limits.idleSeconds", limits.idle == started.limits.idle),
            ("limits.receiveSeconds", limits.receive == started.limits.receive),
            ("limits.handleSeconds", limits.handle == started.limits.handle),
            // A trail is one chain; it cannot continue in another place.
            ("audit", (audit.sink, audit.sync) == (started.audit.sink, started.audit.sync)),
            ("log.level", logLevel == started.logLevel),
        ]
        return settings.filter { !$0.isSame }.map(\.name)
    }
}
