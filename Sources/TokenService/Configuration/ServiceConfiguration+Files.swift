extension ServiceConfiguration {
    /// Every file that is read for it; not the audit trail, which is written.
    var files: [String] {
        let keys = kinds.values.flatMap { [$0.account, $0.next?.account, $0.previous].compactMap { $0?.file } }
        let callers = callers.compactMap(\.file)
        let certificates = [tls?.certificate, tls?.key, tls?.clientAuthorities].compactMap { $0 }
        return keys + callers + certificates + webhooks.map(\.secretFile)
            + [limits.redis?.passwordFile, audit.keyFile].compactMap { $0 }
    }
}

extension CallerConfiguration {
    fileprivate var file: String? {
        switch method {
        case .jwt(let issuer):
            if case .file(let path) = issuer.keys { path } else { nil }
        case .apiKeys(let path): path
        case .certificate: nil
        }
    }
}

extension AuditConfiguration {
    fileprivate var keyFile: String? {
        if case .hmac(let path) = ids { path } else { nil }
    }
}
