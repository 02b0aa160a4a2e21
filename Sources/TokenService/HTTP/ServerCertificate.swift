import NIOSSL
import ServiceSupport
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The listener's certificate and key, which can be replaced while connections are open.
///
/// A new connection uses the current certificate; open ones keep theirs.
final class ServerCertificate: Sendable {
    /// Shows the Unix time at which the current certificate expires.
    private let expiry: Gauge
    private let current: Mutex<LoadedCertificate>

    init(_ certificate: LoadedCertificate, expiry: Gauge) {
        self.expiry = expiry
        current = Mutex(certificate)
        use(certificate)
    }

    /// The TLS context for a new connection.
    var context: NIOSSLContext { current.withLock { $0.context } }

    /// Uses another certificate for all new connections.
    func use(_ certificate: LoadedCertificate) {
        current.withLock { $0 = certificate }
        expiry.set(certificate.notAfter.timeIntervalSince1970)
    }
}
