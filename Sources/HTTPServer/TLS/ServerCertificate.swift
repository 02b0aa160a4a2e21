package import NIOCore
import NIOExtras
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
/// A new connection uses the current certificate; open ones keep theirs. If the authorities for client certificates
/// change, open connections are closed, because their clients were verified with the previous ones.
package final class ServerCertificate: Sendable {
    private let expiry: Gauge
    private let loaded: Mutex<LoadedCertificate>
    private let connections = OpenConnections()

    /// Creates the holder of a certificate.
    ///
    /// - Parameters:
    ///   - certificate: The certificate.
    ///   - expiry: Gets the Unix time at which the current certificate expires.
    package init(_ certificate: LoadedCertificate, expiry: Gauge) {
        self.expiry = expiry
        loaded = Mutex(certificate)
        use(certificate)
    }

    /// Returns the TLS context for a new connection.
    package func context(for channel: any Channel) -> NIOSSLContext {
        loaded.withLock { loaded in
            // Under the lock, so that none begins with the old authorities and is missed when they go.
            if !loaded.clientAuthorities.isEmpty { connections.add(channel) }
            return loaded.context
        }
    }

    /// Uses another certificate for all new connections.
    package func use(_ certificate: LoadedCertificate) {
        let isOfOthers = loaded.withLock { loaded in
            defer { loaded = certificate }
            return loaded.clientAuthorities != certificate.clientAuthorities
        }
        if isOfOthers { connections.end() }
        expiry.set(certificate.notAfter.timeIntervalSince1970)
    }
}

/// The open connections, for closing them early.
private final class OpenConnections: Sendable {
    private let channels = Mutex<[ObjectIdentifier: any Channel]>([:])

    /// Tracks a connection until it closes.
    func add(_ channel: any Channel) {
        let id = ObjectIdentifier(channel)
        channels.withLock { $0[id] = channel }
        channel.closeFuture.whenComplete { [weak self] _ in
            _ = self?.channels.withLock { $0.removeValue(forKey: id) }
        }
    }

    /// Closes all open connections as in a shutdown: idle ones now, others after the requests in progress.
    func end() {
        for channel in channels.withLock({ Array($0.values) }) {
            channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        }
    }
}

/// A certificate and its key as they were read: valid, and a pair.
package struct LoadedCertificate: Sendable {
    /// The TLS context for connections.
    let context: NIOSSLContext
    /// When the certificate expires.
    let notAfter: Date
    /// The encoded authorities for client certificates; empty if none are requested.
    package let clientAuthorities: Set<[UInt8]>

    /// Creates the certificate by reading the files.
    ///
    /// - Parameters:
    ///   - files: The certificate chain and the key.
    ///   - now: The wall clock.
    /// - Throws: ``ConfigurationError`` that names the invalid file.
    package init(_ files: TLSFiles, at now: Date) throws {
        let configuration = try TLSConfiguration.server(files)
        notAfter = try configuration.expiry(files, at: now)
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
