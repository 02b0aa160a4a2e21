@testable import ServiceSupport

extension CertificateName {
    /// A `dNSName`.
    static func dns(_ text: String) -> Self { .dns(Array(text.utf8)) }

    /// A `uniformResourceIdentifier`.
    static func uri(_ text: String) -> Self { .uri(Array(text.utf8)) }
}
