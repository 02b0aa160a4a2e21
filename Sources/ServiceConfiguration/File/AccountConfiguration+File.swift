import ServiceSupport

extension AccountConfiguration {
    /// The settings of which exactly one selects the signer.
    private static let sources = ["serviceAccount", "pem", "iam", "pkcs11"]

    /// Creates the configuration from the settings of a kind.
    init?(_ section: ConfigurationSection) {
        let source = section.oneOf(Self.sources)
        let names = KeyNames(section)
        let credentials = section["credentials"]
        let credentialsFile = credentials?.file()
        guard let source else { return nil }
        if source.name != "pem", source.name != "pkcs11", names.isGiven {
            section.report(
                "issuer and keyId are only for pem and pkcs11; for serviceAccount and iam they are known."
            )
        }
        if source.name != "iam", credentials != nil { section.report("credentials is only for iam.") }
        switch source.name {
        case "pem":
            guard let file = source.value.file(), let (issuer, keyID) = names.required("pem", section) else {
                return nil
            }
            self = .pem(file: file, issuer: issuer, keyID: keyID)
        case "pkcs11":
            let key = source.value.section { PKCS11Configuration($0) }
            guard let key, let (issuer, keyID) = names.required("pkcs11", section) else { return nil }
            self = .pkcs11(key, issuer: issuer, keyID: keyID)
        case "iam":
            guard let account = source.value.text() else { return nil }
            guard ServiceAccountAddress.isGoogles(account) else {
                source.value.report(
                    "must be the email address of a Google service account, such as driver@my-project.iam.gserviceaccount.com."
                )
                return nil
            }
            self = .iam(IAMConfiguration(account: account, credentials: credentialsFile))
        default:
            guard let file = source.value.file() else { return nil }
            self = .serviceAccount(file: file)
        }
    }

    /// The two facts that a key without an account doesn't hold.
    private struct KeyNames {
        let isGiven: Bool
        private let issuer: String?
        private let keyID: String?

        init(_ section: ConfigurationSection) {
            let values = (section["issuer"], section["keyId"])
            isGiven = values.0 != nil || values.1 != nil
            issuer = values.0?.text()
            keyID = values.1?.text()
        }

        func required(_ source: String, _ section: ConfigurationSection) -> (issuer: String, keyID: String)? {
            guard let issuer, let keyID else {
                section.report(
                    "\(source) requires issuer (the service account's email address) and keyId (the key's ID at Google)."
                )
                return nil
            }
            return (issuer, keyID)
        }
    }
}

extension PKCS11Configuration {
    fileprivate init?(_ section: ConfigurationSection) {
        let library = section.required("module")
        let module = library?.text()
        let token = section.required("token")?.text()
        let key = section.required("key")?.text()
        let pinFile = section.required("pinFile")?.file()
        guard let library, let module, let token, let key, let pinFile else { return nil }
        // A name alone would be looked for in places that the environment names.
        guard module.utf8.contains(UInt8(ascii: "/")) else {
            section.report("module must be a path, such as /usr/lib/softhsm/libsofthsm2.so.")
            return nil
        }
        guard token.utf8.count <= 32 else {
            section.report("token must be a label of at most 32 bytes.")
            return nil
        }
        self.init(module: library.resolved(module), token: token, key: key, pinFile: pinFile)
    }
}

extension KindConfiguration {
    init?(_ value: ConfigurationValue) {
        let kind = value.section { section -> KindConfiguration? in
            let isPrivileged = section["privileged"]?.bool() ?? false
            let account = AccountConfiguration(section)
            let next = section["next"]?.section { section -> Next? in
                let from = section["from"]?.time()
                return AccountConfiguration(section).map { Next(account: $0, from: from) }
            }
            let previous = section["previous"]?.section { AccountConfiguration($0) }
            return account.map {
                KindConfiguration(account: $0, next: next, previous: previous, isPrivileged: isPrivileged)
            }
        }
        guard let kind else { return nil }
        self = kind
    }
}
