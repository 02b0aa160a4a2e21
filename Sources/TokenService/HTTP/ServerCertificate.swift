import NIOSSL
import Synchronization

/// The listener's certificate and key, which can be replaced while connections are open.
///
/// A new connection uses the current certificate; open ones keep theirs.
final class ServerCertificate: Sendable {
    private let current: Mutex<LoadedCertificate>

    init(_ certificate: LoadedCertificate) {
        current = Mutex(certificate)
    }

    /// The TLS context for a new connection.
    var context: NIOSSLContext { current.withLock { $0.context } }

    /// Uses another certificate for all new connections.
    func use(_ certificate: LoadedCertificate) {
        current.withLock { $0 = certificate }
    }
}
