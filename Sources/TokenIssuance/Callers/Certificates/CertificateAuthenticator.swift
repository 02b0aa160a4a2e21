import ServiceSupport
import StrictCoding
import Synchronization

/// Authenticates callers by client certificate.
final class CertificateAuthenticator: Sendable {
    /// One kind of caller, and its names.
    struct Group: Sendable {
        /// The caller's name in the configuration.
        let name: String
        /// Whether the caller may be a person's app.
        let isApp: Bool
        /// The certificate names that it goes by: URI or DNS names of the SAN.
        let certificateNames: [String]
    }

    private let groups: [CertificateName: Group]
    /// Whether the authorities of all certificates were removed.
    private let isWithdrawn = Atomic(false)

    /// Creates an authenticator for groups of names.
    ///
    /// - Throws: ``ConfigurationError`` if a name belongs to two callers, or is not a valid name.
    init(_ groups: [Group]) throws(ConfigurationError) {
        var known: [CertificateName: Group] = [:]
        for group in groups {
            for name in group.certificateNames {
                guard let key = CertificateName(configured: name) else {
                    throw ConfigurationError(
                        "A certificate name of the caller \(group.name) is neither a URI such as spiffe://example.com/dispatch nor a DNS name such as dispatch.example.com. Use one complete name, without a wildcard."
                    )
                }
                guard known.updateValue(group, forKey: key) == nil else {
                    throw ConfigurationError("Duplicate certificate name: \(name). Remove one.")
                }
            }
        }
        self.groups = known
    }

    /// Refuses all certificates from now on.
    ///
    /// - Returns: Whether it did not before, and there are callers with certificates.
    func withdraw() -> Bool {
        !groups.isEmpty && !isWithdrawn.exchange(true, ordering: .relaxed)
    }

    /// Returns the caller that a certificate belongs to, or nil if none of its names is known.
    ///
    /// - Throws: ``AuthenticationFailure`` when its names belong to two callers.
    func caller(named names: [CertificateName]) throws(AuthenticationFailure) -> Caller? {
        guard !isWithdrawn.load(ordering: .relaxed) else { return nil }
        var caller: Caller?
        for name in names {
            guard let group = groups[name] else { continue }
            guard caller == nil || caller?.name == group.name else { throw .init(.ambiguousCertificate) }
            caller =
                caller
                ?? Caller(
                    method: .certificate,
                    name: group.name,
                    subject: name.text,
                    claims: .init(),
                    isApp: group.isApp
                )
        }
        return caller
    }
}
