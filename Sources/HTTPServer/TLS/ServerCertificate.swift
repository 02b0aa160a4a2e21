import FleetToken
package import NIOCore
package import NIOSSL
import Synchronization
package import Telemetry

/// The listener's certificate and key, which can be replaced while connections go on.
///
/// A new connection takes what was read last; those that are open keep what they began with. Where the authorities of
/// clients' certificates are others than before, open connections end, since their clients were checked by the old ones.
package final class ServerCertificate: Sendable {
    private let expiry: Gauge
    private let loaded: Mutex<LoadedCertificate>
    private let connections = OpenConnections()

    /// Begins with a certificate, and shows in a registry when it expires.
    package init(_ certificate: LoadedCertificate, registry: PrometheusRegistry) {
        expiry = registry.series(
            "fleet_token_tls_cert_not_after_timestamp_seconds",
            help: "When the listener's certificate expires."
        )
        loaded = Mutex(certificate)
        use(certificate)
    }

    /// What a new connection takes.
    package func context(for channel: any Channel) -> NIOSSLContext {
        loaded.withLock { loaded in
            // Under the lock, so that none begins with the old authorities and is missed when they go.
            if !loaded.clientAuthorities.isEmpty { connections.add(channel) }
            return loaded.context
        }
    }

    /// Takes another certificate for all connections from now on.
    package func use(_ certificate: LoadedCertificate) {
        let isOfOthers = loaded.withLock { loaded in
            defer { loaded = certificate }
            return loaded.clientAuthorities != certificate.clientAuthorities
        }
        if isOfOthers { connections.end() }
        expiry.set(Double(certificate.notAfter.seconds))
    }
}
