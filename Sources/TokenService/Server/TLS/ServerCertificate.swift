import CoreMetrics
import FleetToken
import NIOSSL
import Synchronization

/// The listener's certificate and key, which can be replaced while connections go on.
///
/// A new connection takes what was read last; those that are open keep what they began with.
final class ServerCertificate: Sendable {
    private let expiry: Meter
    private let loaded: Mutex<LoadedCertificate>

    /// Begins with a certificate, and shows in a registry when it expires.
    init(_ certificate: LoadedCertificate, registry: PrometheusRegistry) {
        let name = "fleet_token_tls_cert_not_after_timestamp_seconds"
        registry.declare(name, .gauge, help: "When the listener's certificate expires.", capacity: 1)
        expiry = Meter(label: name, dimensions: [], factory: PrometheusMetricsFactory(registry: registry))
        loaded = Mutex(certificate)
        use(certificate)
    }

    /// What a new connection takes.
    var context: NIOSSLContext { loaded.withLock { $0.context } }

    /// Takes another certificate for all connections from now on.
    func use(_ certificate: LoadedCertificate) {
        loaded.withLock { $0 = certificate }
        expiry.set(certificate.notAfter.seconds)
    }
}
