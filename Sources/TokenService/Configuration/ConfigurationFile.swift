import FleetToken
import Logging
package import ServiceSupport
import TokenIssuance
import TokenMinting

/// Parses the YAML file strictly and reports all problems.
package struct ConfigurationFile {
    /// The configuration, if nothing is wrong with it.
    package let configuration: ProductionConfiguration?
    /// The parts that could be read, even if others have problems; nil if none could.
    package let readable: ProductionConfiguration?
    /// All that is wrong.
    package let problems: [Problem]

    /// Reads a file for a check or an explanation, which trust it no more than their user does.
    ///
    /// - Throws: ``OperatorError`` that names it, if it cannot be read.
    package init(path: String) throws(OperatorError) {
        self.init(yaml: try ConfigurationText.read(path), path: path)
    }

    /// Creates the result of parsing and checking a file's text.
    package init(yaml: [UInt8], path: String = "", isReload: Bool = false) {
        let problems = ConfigurationProblems(file: path, isReload: isReload)
        var configuration: ProductionConfiguration?
        if let root = ConfigurationText.parse(yaml, problems) {
            configuration = ProductionConfiguration(root)
            configuration?.check(problems)
            configuration?.locations = problems.locations
            configuration?.isWhole = problems.list.isEmpty
        }
        readable = configuration
        self.configuration = problems.list.isEmpty ? configuration : nil
        self.problems = problems.list
    }

    /// Returns the configuration.
    ///
    /// - Throws: ``OperatorError`` with all that is wrong, a line each.
    package func validated() throws(OperatorError) -> ProductionConfiguration {
        guard let configuration else { throw OperatorError(problems: problems) }
        return configuration
    }
}

extension ProductionConfiguration {
    /// Reads and checks a file, which no other user may be able to change.
    ///
    /// - Throws: ``OperatorError`` with all that is wrong, a line each.
    init(path: String, listen: ListenAddress? = nil, isReload: Bool = false) throws(OperatorError) {
        let yaml = try TrustedFile(path).content(atMost: ConfigurationText.readSize)
        let configuration = try ConfigurationFile(yaml: yaml, path: path, isReload: isReload).validated()
        self = if let listen { try configuration.listening(at: listen) } else { configuration }
    }

    /// Returns the same configuration with another listen address.
    ///
    /// - Throws: ``OperatorError`` when it would not be safe there.
    package func listening(at address: ListenAddress) throws(OperatorError) -> ProductionConfiguration {
        var changed = self
        changed.listen = address
        let problems = ConfigurationProblems()
        changed.check(problems)
        guard problems.list.isEmpty else { throw OperatorError(problems: problems.list) }
        return changed
    }
}

extension ProductionConfiguration {
    /// Creates a configuration by reading the file's root.
    ///
    /// Invalid values are reported and replaced by harmless ones, so that reading continues.
    init?(_ root: ConfigurationValue) {
        let configuration = root.section { root -> ProductionConfiguration? in
            _ = root.required("version")?.integer(1...1)
            var configuration = ProductionConfiguration()
            _ = root["service"]?.section { configuration.readService($0) }
            _ = root["admin"]?.section(such: "{listen: \"127.0.0.1:9090\"}") { admin in
                if let listen = admin["listen"]?.listenAddress() { configuration.admin = listen }
            }
            configuration.readKinds(root.required("kinds"))
            for (name, value) in root.required("callers")?.namedEntries() ?? [] {
                configuration.declared.callers.insert(name)
                let caller = value.section { CallerConfiguration(name: name, $0) }
                if let caller { configuration.callers.append(caller) }
            }
            for (name, value) in root["webhooks"]?.namedEntries() ?? [] {
                configuration.declared.webhooks.insert(name)
                let webhook = value.section { WebhookConfiguration(name: name, $0) }
                if let webhook { configuration.webhooks.append(webhook) }
            }
            for (name, value) in root.required("grants")?.namedEntries() ?? [] {
                let grant = value.section { GrantConfiguration(name: name, $0) }
                if let grant { configuration.grants.append(grant) }
            }
            _ = root["limits"]?.section { limits in
                configuration.limits = LimitsConfiguration(limits)
                configuration.connections.readNumber(limits)
            }
            if let audit = root["audit"]?.section({ AuditConfiguration($0) }) { configuration.audit = audit }
            _ = root["log"]?.section { log in
                if let level = log["level"]?.choice(Logger.Level.self) { configuration.logLevel = level }
            }
            return configuration
        }
        guard let configuration else { return nil }
        self = configuration
    }

    private mutating func readService(_ section: ConfigurationSection) {
        if let listen = section["listen"]?.listenAddress() { self.listen = listen }
        let tls = section["tls"]
        declared.tls = tls != nil
        self.tls = tls?.section { tls in
            let certificate = tls.required("certificate")?.file()
            let key = tls.required("key")?.file()
            guard let certificate, let key else { return nil }
            return TLSFiles(certificate: certificate, key: key)
        }
        drain = section["drain"]?.duration(.zero ... .seconds(300)) ?? drain
        connections.readTimes(section)
        isBehindTLSProxy = section["behindTLSProxy"]?.bool() ?? false
        trustedProxies = section["trustedProxies"]?.list().compactMap { $0.proxies() } ?? []
        origins = section["origins"]?.list().compactMap { $0.origin() } ?? []
    }

    private mutating func readKinds(_ value: ConfigurationValue?) {
        for (name, value) in value?.namedEntries() ?? [] {
            // The exact name: two spellings of one kind would be two entries that YAML doesn't take for duplicates.
            guard let kind = TokenKind(rawValue: name) else {
                let meant = Spelling.suggestion(for: name, in: TokenKind.allCases.map(\.rawValue))
                // Grants of the kind that was meant are right.
                if let kind = meant.flatMap(TokenKind.init(rawValue:)) { declared.kinds.insert(kind) }
                let advice = meant.map { "Did you mean \($0)?" } ?? "Kinds are \(TokenKind.names)."
                value.report("is not a kind of token. \(advice)")
                continue
            }
            declared.kinds.insert(kind)
            kinds[kind] = value.section { AccountConfiguration($0) }
        }
    }
}
