import NIOSSL
package import ServiceSupport

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// A certificate and its key as they were read: valid, and a pair.
package struct LoadedCertificate: Sendable {
    /// The TLS context for connections.
    let context: NIOSSLContext
    /// When the certificate expires.
    let notAfter: Date
    /// The encoded authorities for client certificates; empty if none are requested.
    package let clientAuthorities: Set<[UInt8]>

    /// Whether the key is an RSA key, whose handshakes take twice the time of ECDSA.
    package let usesRSA: Bool

    /// Creates the certificate by reading the files.
    ///
    /// - Parameters:
    ///   - files: The certificate chain and the key.
    ///   - now: The wall clock.
    /// - Throws: ``ConfigurationError`` that names the invalid file.
    package init(_ files: TLSFiles, at now: Date) throws {
        let configuration = try TLSConfiguration.server(files)
        notAfter = try configuration.expiry(files, at: now)
        usesRSA = try configuration.usesRSA
        clientAuthorities = Set(try configuration.clientAuthorities.map { try $0.toDERBytes() })
        do {
            context = try NIOSSLContext(configuration: configuration)
        } catch {
            throw ConfigurationError(
                "\(files.key) and \(files.certificate) do not match: the key belongs to another certificate, or the certificate's key usage does not allow servers.",
                setting: "certificate"
            )
        }
    }
}
