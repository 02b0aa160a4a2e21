import FleetToken
import ServiceSupport

extension ProductionConfiguration {
    /// Every file that is read for it; not the audit trail, which is written.
    package var files: [String] { namedFiles.map(\.path) }

    /// The files that are read for it, each with the way to it in the configuration.
    package var namedFiles: [(name: String, path: String)] {
        let tls = [tls?.certificate, tls?.key, tls?.clientAuthorities].map { ("service.tls", $0) }
        let keys = TokenKind.allCases.flatMap { kind in
            let ring = kinds[kind]
            return [("", ring?.account), (".next", ring?.next?.account), (".previous", ring?.previous)].map {
                place,
                account in
                ("kinds.\(kind.rawValue)\(place)", account?.file)
            }
        }
        let callers = callers.flatMap { caller in caller.files.map { ("callers.\(caller.name)", $0) } }
        let webhooks = webhooks.map { ("webhooks.\($0.name)", Optional($0.secretFile)) }
        let others = [
            ("limits.redis.tls", limits.redis?.tls?.authorities), ("limits.redis", limits.redis?.passwordFile),
            ("audit", audit.keyFile),
        ]
        return (tls + keys + callers + webhooks + others).compactMap { name, path in path.map { (name, $0) } }
    }
}

extension CallerConfiguration {
    fileprivate var files: [String?] {
        switch method {
        case .jwt(let issuer):
            if case .file(let path) = issuer.keys { [path] } else { [issuer.authorities] }
        case .apiKeys(let path): [path]
        case .certificate: []
        }
    }
}

extension AuditConfiguration {
    fileprivate var keyFile: String? {
        if case .hmac(let path) = ids { path } else { nil }
    }
}
