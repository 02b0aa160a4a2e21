import ServiceSupport
import StrictCoding
import Synchronization

/// Authenticates callers by client certificate.
final class CertificateAuthenticator: Sendable {
    /// The callers' names in the configuration, by the names of their certificates.
    private let callers: [CertificateName: String]
    /// Whether the authorities of all certificates were removed.
    private let isWithdrawn = Atomic(false)

    /// Creates an authenticator for the certificates of callers, by URI or DNS names of the SAN.
    ///
    /// - Throws: ``ConfigurationError`` if a name belongs to two callers, or is not a valid name.
    init(_ certificates: [(caller: String, names: [String])]) throws(ConfigurationError) {
        var known: [CertificateName: String] = [:]
        for (caller, names) in certificates {
            for name in names {
                guard let key = CertificateName(configured: name) else {
                    throw ConfigurationError(
                        "A certificate name of the caller \(caller) is neither a URI such as spiffe://example.com/dispatch nor a DNS name such as dispatch.example.com. Use one complete name, without a wildcard."
                    )
                }
                guard known.updateValue(caller, forKey: key) == nil else {
                    throw ConfigurationError("Duplicate certificate name: \(name). Remove one.")
                }
            }
        }
        callers = known
    }

    /// Refuses all certificates from now on.
    ///
    /// - Returns: Whether it did not before, and there are callers with certificates.
    func withdraw() -> Bool {
        !callers.isEmpty && !isWithdrawn.exchange(true, ordering: .relaxed)
    }

    /// Returns the caller that a certificate belongs to, or nil if none of its names is known.
    ///
    /// - Throws: ``AuthenticationFailure`` when its names belong to two callers.
    func caller(named names: [CertificateName]) throws(AuthenticationFailure) -> Caller? {
        guard !isWithdrawn.load(ordering: .relaxed) else { return nil }
        var caller: Caller?
        for name in names {
            guard let known = callers[name] else { continue }
            guard caller?.name ?? known == known else { throw .init(.ambiguousCertificate) }
            caller =
                caller
                ?? Caller(method: .certificate, name: known, subject: name.text, claims: .init(), isApp: false)
        }
        return caller
    }
}
