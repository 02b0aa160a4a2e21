import JOSE
import StrictCoding

extension CallerConfiguration {
    init?(name: String, _ value: ConfigurationValue) {
        let caller = value.section { section -> CallerConfiguration? in
            guard
                let (method, value) = section.oneOf([
                    "firebase", "jwt", "googleServiceAccount", "apiKeys", "certificate",
                ])
            else { return nil }
            switch method {
            case "firebase":
                return value.section { $0.required("project")?.text() }
                    .map { .init(name: name, method: .jwt(.firebase(project: $0)), isApp: true) }
            case "googleServiceAccount":
                return value.section { section in
                    let audience = section.required("audience")?.text()
                    let email = section.required("email")?.text()
                    guard let audience, let email else { return nil }
                    return .jwt(.googleServiceAccount(email: email, audience: audience))
                }
                .map { .init(name: name, method: $0, isApp: false) }
            case "apiKeys":
                return value.section { $0.required("file")?.file() }
                    .map { .init(name: name, method: .apiKeys(file: $0), isApp: false) }
            case "certificate":
                return value.section { $0.required("names")?.texts() }
                    .flatMap { $0.isEmpty ? nil : $0 }
                    .map { .init(name: name, method: .certificate(names: $0), isApp: false) }
            default:
                return value.section { section in
                    let isApp = section["app"]?.bool() ?? true
                    return JWTIssuerConfiguration(section).map { .init(name: name, method: .jwt($0), isApp: isApp) }
                }
            }
        }
        guard let caller else { return nil }
        self = caller
    }
}

extension JWTIssuerConfiguration {
    fileprivate init?(_ section: ConfigurationSection) {
        let issuer = section.required("issuer")?.text()
        let audiences = section.required("audiences")?.texts()
        let algorithms = section["algorithms"]?.nonEmptyList().compactMap { $0.choice(JWSAlgorithm.self) }
        let keys = Self.keys(section, issuer: issuer)
        let authorities = section["caFile"]
        if case .file? = keys { authorities?.report("requires keysUrl or discovery; it has no effect with keysFile.") }
        // Without discovery, only the operator knows them.
        if algorithms == nil, let keys, keys != .discovery { section.report("requires algorithms.") }
        let requiredClaims = section["requiredClaims"]?.conditions() ?? []
        let types = section["types"]?.texts()
        // A list in which nothing could be read is none.
        guard let issuer, let audiences, !audiences.isEmpty, algorithms?.isEmpty != true, let keys else { return nil }
        self.init(
            issuer: issuer,
            audiences: audiences,
            algorithms: algorithms ?? JWSAlgorithm.usual,
            keys: keys,
            authorities: authorities?.file(),
            requiredClaims: requiredClaims,
            types: types
        )
    }

    /// Returns the source of the keys; without a setting, discovery.
    private static func keys(_ section: ConfigurationSection, issuer: String?) -> KeySource? {
        let (url, file) = (section["keysUrl"], section["keysFile"])
        switch (url, file) {
        case (let url?, nil): return url.keySetURL().map { .url($0) }
        case (nil, let file?): return file.file().map { .file($0) }
        case (nil, nil):
            guard let issuer else { return nil }
            do {
                _ = try KeySetURL(discoveryOf: issuer)
                return .discovery
            } catch {
                section.report("\(error)")
                return nil
            }
        case (_?, _?):
            section.report("requires keysUrl, keysFile, or neither of them for discovery; not both.")
            return nil
        }
    }
}
