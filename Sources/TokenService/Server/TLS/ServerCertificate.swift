import CoreMetrics
import FleetToken
import NIOSSL
import Synchronization

/// The listener's certificate and key, which can be read again while connections go on.
///
/// A new connection takes what was read last; those that are open keep what they began with.
final class ServerCertificate: Sendable {
    private struct Loaded {
        let context: NIOSSLContext
        let notAfter: NumericDate

        init(_ files: TLSFiles, http2: Bool, at now: NumericDate) throws {
            let configuration = try TLSConfiguration.server(files, http2: http2)
            notAfter = try configuration.expiry(files, at: now)
            do {
                context = try NIOSSLContext(configuration: configuration)
            } catch {
                throw ConfigurationError(
                    "\(files.key) and \(files.certificate) don't go together: the key is that of another certificate, or the certificate's key usage is not a server's."
                )
            }
        }
    }

    private let files: TLSFiles
    private let http2: Bool
    private let now: @Sendable () -> NumericDate
    private let expiry: Meter
    private let loaded: Mutex<Loaded>

    /// Reads the files.
    ///
    /// - Parameters:
    ///   - files: The certificate chain and the key.
    ///   - http2: Whether clients may choose HTTP/2.
    ///   - registry: Gets the time at which the certificate expires.
    ///   - now: The wall clock.
    /// - Throws: ``ConfigurationError`` or ``MintingError`` that names the file at fault.
    init(
        _ files: TLSFiles,
        http2: Bool,
        registry: PrometheusRegistry,
        now: @escaping @Sendable () -> NumericDate
    ) throws {
        let loaded = try Loaded(files, http2: http2, at: now())
        self.files = files
        self.http2 = http2
        self.now = now
        let name = "fleet_token_tls_cert_not_after_timestamp_seconds"
        registry.declare(name, .gauge, help: "When the listener's certificate expires.", capacity: 1)
        expiry = Meter(label: name, dimensions: [], factory: PrometheusMetricsFactory(registry: registry))
        expiry.set(loaded.notAfter.seconds)
        self.loaded = Mutex(loaded)
    }

    /// What a new connection takes.
    var context: NIOSSLContext { loaded.withLock { $0.context } }

    /// Reads the files again; while something is wrong with them, what was read before stays in use.
    ///
    /// - Throws: ``ConfigurationError`` or ``MintingError`` that names the file at fault.
    func reload() throws {
        let loaded = try Loaded(files, http2: http2, at: now())
        self.loaded.withLock { $0 = loaded }
        expiry.set(loaded.notAfter.seconds)
    }
}
