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
    private struct State {
        var loaded: LoadedCertificate
        /// The open connections whose clients may show a certificate.
        var connections: [ObjectIdentifier: any Channel] = [:]
    }

    /// Shows the Unix time at which the current certificate expires.
    private let expiry: Gauge
    private let state: Mutex<State>

    package init(_ certificate: LoadedCertificate, expiry: Gauge) {
        self.expiry = expiry
        state = Mutex(State(loaded: certificate))
        use(certificate)
    }

    /// Returns the TLS context for a new connection.
    package func context(for channel: any Channel) -> NIOSSLContext {
        let id = ObjectIdentifier(channel)
        let (context, isKept) = state.withLock { state in
            let isKept = !state.loaded.clientAuthorities.isEmpty
            // Under the same lock, so that none begins with the old authorities and is missed when they go.
            if isKept { state.connections[id] = channel }
            return (state.loaded.context, isKept)
        }
        if isKept {
            channel.closeFuture.whenComplete { [weak self] _ in
                _ = self?.state.withLock { $0.connections.removeValue(forKey: id) }
            }
        }
        return context
    }

    /// Uses another certificate for all new connections.
    package func use(_ certificate: LoadedCertificate) {
        let ending = state.withLock { state in
            defer { state.loaded = certificate }
            return state.loaded.clientAuthorities != certificate.clientAuthorities
                ? Array(state.connections.values) : []
        }
        // As in a shutdown: idle ones now, others after the requests in progress.
        for channel in ending { channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent()) }
        expiry.set(certificate.notAfter.timeIntervalSince1970)
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
