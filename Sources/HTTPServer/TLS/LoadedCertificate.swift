package import FleetToken
import NIOSSL
package import ServiceConfiguration

/// A certificate and its key as they were read: valid, and a pair.
package struct LoadedCertificate: Sendable {
    /// What a connection takes.
    let context: NIOSSLContext
    /// When the certificate expires.
    let notAfter: NumericDate
    /// The authorities that sign clients' certificates, as they are encoded; none where clients are asked for none.
    let clientAuthorities: Set<[UInt8]>

    /// Reads the files.
    ///
    /// - Parameters:
    ///   - files: The certificate chain and the key.
    ///   - http2: Whether clients may choose HTTP/2.
    ///   - now: The wall clock.
    /// - Throws: ``ConfigurationError`` or ``MintingError`` that names the file at fault.
    package init(_ files: TLSFiles, http2: Bool, at now: NumericDate) throws {
        let configuration = try TLSConfiguration.server(files, http2: http2)
        notAfter = try configuration.expiry(files, at: now)
        clientAuthorities = Set(try configuration.clientAuthorities.map { try $0.toDERBytes() })
        do {
            context = try NIOSSLContext(configuration: configuration)
        } catch {
            throw ConfigurationError(
                "\(files.key) and \(files.certificate) don't go together: the key is that of another certificate, or the certificate's key usage is not a server's."
            )
        }
    }
}
