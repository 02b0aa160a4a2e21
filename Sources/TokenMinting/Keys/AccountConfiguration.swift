package import ServiceSupport

/// The signer of a service account: everything specific to a way of signing is here, or in that signer's type.
package enum AccountConfiguration: Sendable, Hashable {
    /// Google's JSON key file.
    case serviceAccount(file: String)
    /// Google itself, by its IAM Credentials API, with the key file of the calling service account; nil for the machine's own.
    case iam(account: String, credentials: String?)

    /// The file that is read for it; nil where Google needs none.
    package var file: String? {
        switch self {
        case .serviceAccount(let file): file
        case .iam(_, let credentials): credentials
        }
    }

    /// Whether Google signs for the account that this machine, pod or Cloud Run service runs as.
    package var usesThisMachinesAccount: Bool { if case .iam(_, credentials: nil) = self { true } else { false } }

    /// The setting that names the file.
    package var fileSetting: String {
        switch self {
        case .serviceAccount: "serviceAccount"
        case .iam: "credentials"
        }
    }

    /// The name in messages: the key's file, or the address at Google.
    package var name: String {
        switch self {
        case .serviceAccount(let file): file
        case .iam(let account, _): account
        }
    }

    /// What is there if nothing is wrong, with the modes of files, as a sentence.
    package var summary: String {
        guard let file else { return "No key file is needed." }
        return "\(file) is a service account key (\(KeyFile.permissions(file) ?? "its mode is not known"))."
    }
}

// MARK: - The signer

extension AccountConfiguration {
    /// How many simultaneous connections a signer elsewhere needs; nil for keys on this machine.
    package var connections: Int? {
        if case .iam = self { IAMSigner.concurrency } else { nil }
    }

    /// Returns the signer, with its file read now.
    ///
    /// - Parameters:
    ///   - google: Reaches Google.
    ///   - gates: The gates of the service's signers; nil for a single signature, as in a check.
    ///   - time: The maximum time of a signature elsewhere.
    /// - Returns: The signer.
    /// - Throws: ``OperatorError`` that describes the fix.
    package func signer(
        google: GoogleClient,
        gates: SigningGates? = nil,
        time: Duration = .seconds(5)
    ) throws(OperatorError) -> any TokenSigner {
        switch self {
        case .serviceAccount(let file):
            LocalSigner(try account(at: file), gates: gates)
        case .iam(let address, let file):
            IAMSigner(
                account: address,
                credentials: try file.map(account),
                time: time,
                client: google,
                gates: gates
            )
        }
    }

    private func account(at file: String) throws(OperatorError) -> ServiceAccount {
        try OperatorError.within(fileSetting) {
            let bytes = try TrustedFile(file).read(isPrivate: true)
            do {
                return try ServiceAccount(json: bytes)
            } catch {
                throw OperatorError("\(file): \(error)")
            }
        }
    }
}

// MARK: - Reading

extension AccountConfiguration {
    /// Creates the configuration from the settings of a kind, of which exactly one selects the signer.
    package init?(_ section: ConfigurationSection) {
        let source = section.oneOf(["serviceAccount", "iam"])
        let credentials = section["credentials"]
        let credentialsFile = credentials?.file()
        guard let source else { return nil }
        guard source.name == "iam" else {
            if credentials != nil { section.report("credentials is only for iam.") }
            guard let file = source.value.file() else { return nil }
            self = .serviceAccount(file: file)
            return
        }
        guard let account = source.value.text() else { return nil }
        guard ServiceAccountAddress.isGoogles(account) else {
            source.value.report(
                "must be the email address of a Google service account, such as driver@my-project.iam.gserviceaccount.com."
            )
            return nil
        }
        self = .iam(account: account, credentials: credentialsFile)
    }
}
