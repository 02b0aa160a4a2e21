package import NIOSSL
package import ServiceSupport
import Synchronization

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// The listener's certificate and key, which can be replaced while connections are open.
///
/// A new connection uses the current certificate; open ones keep theirs.
package final class ServerCertificate: Sendable {
    /// Shows the Unix time at which the current certificate expires.
    private let expiry: Gauge
    private let current: Mutex<LoadedCertificate>

    package init(_ certificate: LoadedCertificate, expiry: Gauge) {
        self.expiry = expiry
        current = Mutex(certificate)
        use(certificate)
    }

    /// The TLS context for a new connection.
    package var context: NIOSSLContext { current.withLock { $0.context } }

    /// Uses another certificate for all new connections.
    package func use(_ certificate: LoadedCertificate) {
        current.withLock { $0 = certificate }
        expiry.set(certificate.notAfter.timeIntervalSince1970)
    }
}

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
