import TokenMinting

extension AccountConfiguration {
    /// The names of which exactly one says what signs.
    private static let sources = ["serviceAccount", "pem", "iam"]

    /// Reads what signs from the settings of a kind.
    init?(_ section: ConfigurationSection) {
        let source = section.oneOf(Self.sources)
        let pem = PEMFacts(section)
        let iam = IAMSettings(section)
        guard let source, let text = source.value.text() else { return nil }
        if source.name != "pem", pem.isGiven {
            section.report("issuer and keyId go with pem; a service account's file has its own, and Google knows them.")
        }
        if source.name != "iam", iam.isGiven {
            section.report("credentials, timeoutMilliseconds and concurrency go with iam.")
        }
        switch source.name {
        case "pem":
            guard let issuer = pem.issuer, let keyID = pem.keyID else {
                section.report("pem needs issuer, the service account's address, and keyId, its key's ID at Google.")
                return nil
            }
            self = .pem(file: text, issuer: issuer, keyID: keyID)
        case "iam":
            guard ServiceAccount.isGoogleAddress(text) else {
                source.value.report(
                    "must be a service account's address at Google, such as driver@my-project.iam.gserviceaccount.com."
                )
                return nil
            }
            self = .iam(iam.configuration(account: text))
        default: self = .serviceAccount(file: text)
        }
    }

    /// What goes with `pem`.
    private struct PEMFacts {
        let isGiven: Bool
        let issuer: String?
        let keyID: String?

        init(_ section: ConfigurationSection) {
            let values = (section["issuer"], section["keyId"])
            isGiven = values.0 != nil || values.1 != nil
            issuer = values.0?.text()
            keyID = values.1?.text()
        }
    }

    /// What goes with `iam`.
    private struct IAMSettings {
        let isGiven: Bool
        private let credentials: String?
        private let timeout: Int64?
        private let concurrency: Int64?

        init(_ section: ConfigurationSection) {
            let values = (section["credentials"], section["timeoutMilliseconds"], section["concurrency"])
            isGiven = values.0 != nil || values.1 != nil || values.2 != nil
            credentials = values.0?.text()
            timeout = values.1?.integer(100...30_000)
            concurrency = values.2?.integer(1...1024)
        }

        func configuration(account: String) -> IAMConfiguration {
            var configuration = IAMConfiguration(account: account, credentials: credentials)
            if let timeout { configuration.timeout = timeout }
            if let concurrency { configuration.concurrency = concurrency }
            return configuration
        }
    }
}
