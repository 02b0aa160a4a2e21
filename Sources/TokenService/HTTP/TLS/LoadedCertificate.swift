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

    /// Creates the certificate by reading the files.
    ///
    /// - Throws: ``ConfigurationError`` that names the invalid file.
    package init(_ files: TLSFiles, at now: Date) throws {
        let configuration = try TLSConfiguration.server(files)
        notAfter = try configuration.expiry(files, at: now)
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
