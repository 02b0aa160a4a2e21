import FleetToken
package import JOSE
import ServiceSupport

/// The issuer and conditions of accepted JWTs.
package struct JWTIssuerConfiguration: Sendable {
    /// Where the issuer's keys are.
    package enum KeySource: Sendable, Hashable {
        case url(KeySetURL)
        case file(String)
        /// OpenID Connect discovery, with the URL of the provider's configuration document.
        case discovery(KeySetURL)

        /// Whether the issuer says where its keys are.
        var isDiscovery: Bool { if case .discovery = self { true } else { false } }
    }

    /// `iss`, compared byte by byte.
    package var issuer: String
    /// `aud` must hold one of these.
    package var audiences: [String]
    /// The algorithms that the issuer's keys are used with.
    package var algorithms: [JWSAlgorithm]
    package var keys: KeySource
    /// The file with the certificate authorities of the issuer's server, PEM; nil for the system's.
    package var authorities: String?
    /// Claims that must have these values.
    package var requiredClaims: [ClaimCondition] = []
    /// The accepted values of the header's `typ`, in lower case; nil accepts any.
    package var types: [String]?
    /// Whether `auth_time`, where it is present, must not lie ahead.
    var checksAuthenticationTime = false
    /// What to do where a required claim is missing.
    var adviceOnMissingClaim: AuthenticationFailure.Advice?
}

// MARK: - Presets

extension JWTIssuerConfiguration {
    /// Returns the configuration for the ID tokens of a Firebase project's users.
    ///
    /// Google signs those of all projects with the same keys, so the project is checked twice: in `iss` and in `aud`.
    static func firebase(project: String) -> Self {
        Self(
            issuer: "https://securetoken.google.com/\(project)",
            audiences: [project],
            algorithms: [.rs256],
            keys: .url(.firebase),
            types: ["jwt"],
            checksAuthenticationTime: true
        )
    }

    /// Returns the configuration for the ID tokens of a Google service account, which a backend on Google Cloud gets
    /// from the metadata server; each account is a caller of its own.
    static func googleServiceAccount(email: String, audience: String) -> Self {
        Self(
            issuer: "https://accounts.google.com",
            audiences: [audience],
            algorithms: [.rs256],
            keys: .url(.google),
            requiredClaims: [
                ClaimCondition(path: ["email"], value: .string(email)),
                ClaimCondition(path: ["email_verified"], value: .bool(true)),
            ],
            types: ["jwt"],
            adviceOnMissingClaim: .googleEmail
        )
    }
}

// MARK: - Reading and checking

extension JWTIssuerConfiguration {
    init?(_ section: ConfigurationSection) {
        let issuer = section.required("issuer")?.claimText()
        let audiences = section.required("audiences")?.nonEmptyList().compactMap { $0.claimText() }
        let algorithms = section["algorithms"]?.nonEmptyList().compactMap { $0.choice(JWSAlgorithm.self) }
        let keys = Self.keys(section, issuer: issuer)
        let authorities = section["caFile"]
        if case .file? = keys { authorities?.report("requires keysUrl or discovery; it has no effect with keysFile.") }
        // Without discovery, only the operator knows them.
        if algorithms == nil, let keys, !keys.isDiscovery { section.report("requires algorithms.") }
        let requiredClaims = section["requiredClaims"]?.conditions() ?? []
        // A list in which nothing could be read is none.
        guard let issuer, let audiences, !audiences.isEmpty, algorithms?.isEmpty != true, let keys else { return nil }
        self.init(
            issuer: issuer,
            audiences: audiences,
            algorithms: algorithms ?? JWSAlgorithm.usual,
            keys: keys,
            authorities: authorities?.file(),
            requiredClaims: requiredClaims
        )
    }

    /// Returns the source of the keys; without a setting, discovery.
    private static func keys(_ section: ConfigurationSection, issuer: String?) -> KeySource? {
        let (url, file) = (section["keysUrl"], section["keysFile"])
        switch (url, file) {
        case (let url?, nil): return url.checked { text throws(OperatorError) in .url(try KeySetURL(text)) }
        case (nil, let file?): return file.file().map { .file($0) }
        case (nil, nil):
            guard let issuer else { return nil }
            do {
                return .discovery(try KeySetURL(discoveryOf: issuer))
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

extension JWTIssuerConfiguration {
    /// Checks that it is neither unsafe nor useless, beyond what reading it requires.
    ///
    /// - Parameter ownAccounts: The email addresses of the service accounts that sign minted tokens.
    /// - Throws: ``OperatorError`` with all that is wrong.
    func check(ownAccounts: [String]) throws(OperatorError) {
        var problems: [String] = []
        if ownAccounts.contains(where: { $0.hasSameBytes(as: issuer) }) {
            problems.append("issuer is an account that signs this service's tokens, which cannot authenticate callers.")
        }
        if audiences.contains(where: { $0.hasSameBytes(as: FleetClaims.audience) }) {
            problems.append(
                "audiences must not contain Fleet Engine's audience, which minted tokens have; use an audience of your own."
            )
        }
        guard problems.isEmpty else { throw OperatorError(problems: problems.map { Problem($0) }) }
    }
}
