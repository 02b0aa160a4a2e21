import FleetToken
import JOSE
import ServiceSupport
import TokenMinting

/// Checks whether accounts sign, and whether Google accepts their keys and tokens.
struct SigningCheck {
    /// One account in the configuration.
    struct Subject {
        /// The setting, such as `kinds.driver`.
        let name: String
        let kind: TokenKind
        let signer: any TokenSigner
        /// The public key, where the private one is on this machine.
        let localKey: JWK?
    }

    private let google: GoogleClient
    private let http: any OutgoingHTTP
    private let fleetEngine: FleetEngineCheck

    init(google: GoogleClient, http: any OutgoingHTTP, fleetEngine: FleetEngineCheck) {
        (self.google, self.http, self.fleetEngine) = (google, http, fleetEngine)
    }

    /// Mints a token of each kind, and checks that Google publishes its key and Fleet Engine accepts it.
    func findings(_ kinds: [TokenKind: AccountConfiguration]) async -> [Finding] {
        var (findings, google) = ([Finding](), google)
        if kinds.values.contains(where: \.usesThisMachinesAccount), let member = await google.requests.member() {
            google.member = member
            findings.append(Finding(.ok, subject: "google", "Google knows this machine as \(member)."))
        }
        for kind in TokenKind.allCases {
            guard let account = kinds[kind], let signer = try? account.signer(google: google) else { continue }
            let key = account.connections == nil ? signer.publicKeys.first : nil
            let subject = Subject(name: "kinds.\(kind.rawValue)", kind: kind, signer: signer, localKey: key)
            findings += await self.findings(subject)
        }
        return findings
    }

    private func findings(_ subject: Subject) async -> [Finding] {
        let (token, selfTest) = await selfTest(subject)
        var findings = [selfTest]
        if let finding = await publication(subject) { findings.append(finding) }
        if let token {
            findings.append(await fleetEngine.finding(token.token, of: subject, keyID: token.keyID, over: http))
        }
        return findings
    }

    private func selfTest(_ subject: Subject) async -> (MintedToken?, Finding) {
        let (kind, signer) = (subject.kind, subject.signer)
        do {
            let scope = try TokenScope(kind: kind, id: kind.isPrivileged ? nil : fleetEngine.missingID)
            let minted = try await signer.test(scope, at: google.clock.now)
            let text = "A token of \(signer.issuer) was minted and verified, key \(minted.keyID)."
            return (minted, Finding(.ok, subject: subject.name, text))
        } catch {
            return (nil, Finding(.fail, subject: subject.name, "Minting failed. \(OperatorMessage(error))"))
        }
    }

    /// Compares a key with those that Google publishes for its account; nil where Google has the key itself.
    private func publication(_ subject: Subject) async -> Finding? {
        guard let jwk = subject.localKey else { return nil }
        let email = subject.signer.issuer
        let subject = subject.name
        guard ServiceAccountAddress.isGoogles(email) else {
            return Finding(
                .warn,
                subject: subject,
                "\(email) is not a service account at Google: Fleet Engine rejects its tokens."
            )
        }
        let keys: JWKSet
        do {
            keys = try await google.requests.publishedKeys(of: email)
        } catch {
            return Finding(error.isPermanent ? .fail : .warn, subject: subject, error.description)
        }
        guard let published = keys[jwk.keyID] else {
            return Finding(
                .fail,
                subject: subject,
                "Google has no key \(jwk.keyID) of \(email): it was deleted, disabled or has expired, and Fleet Engine rejects its tokens. Enable it, or create another: gcloud iam service-accounts keys create FILE --iam-account=\(email)"
            )
        }
        guard published == jwk else {
            return Finding(
                .fail,
                subject: subject,
                "Google's key \(jwk.keyID) of \(email) is a different key: the file's private key and key ID do not match."
            )
        }
        return Finding(.ok, subject: subject, "Google publishes the key \(jwk.keyID).")
    }
}
