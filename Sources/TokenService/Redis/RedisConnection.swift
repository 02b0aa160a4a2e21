import FleetToken
import NIOCore
import NIOPosix
import NIOSSL
import ServiceConfiguration
import ServiceSupport
import Telemetry
import TokenMinting

/// A connection over SwiftNIO, with TLS if configured.
///
/// The store's thread waits for replies, and an event loop carries the bytes. A timeout covers a whole exchange, so a slow
/// server cannot extend it.
final class RedisConnection: RedisSession {
    private let channel: any Channel
    private let timeout: TimeAmount

    /// Creates a connection, and authenticates.
    ///
    /// Resolving a name has only the system's timeout. The first exchange includes the TLS handshake.
    ///
    /// - Parameters:
    ///   - settings: The address, the user, TLS, and the timeout of connecting and of each exchange.
    ///   - password: The password; nil if Redis requires none.
    /// - Throws: ``RedisFailure`` if connecting or authentication fails.
    init(_ settings: LimitsConfiguration.Redis, password: Secret?) throws(RedisFailure) {
        timeout = .milliseconds(Int64(settings.timeout))
        let tls: NIOSSLContext?
        do {
            tls = try settings.tls.map { try NIOSSLContext(configuration: .redis($0)) }
        } catch {
            throw .unreachable("\(OperatorMessage(error))")
        }
        do {
            let host = settings.address.host
            // SNI takes no IP address. The certificate must contain it nevertheless.
            let name = AddressRange.bytes(of: host) == nil ? host : nil
            channel = try ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .connectTimeout(timeout)
                .channelOption(.tcpOption(.tcp_nodelay), value: 1)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        if let tls {
                            let handler = try NIOSSLClientHandler.outgoing(tls, name: name)
                            try channel.pipeline.syncOperations.addHandler(handler)
                        }
                        try channel.pipeline.syncOperations.addHandler(RedisReplyHandler())
                    }
                }
                .connect(host: host, port: settings.address.port)
                .wait()
        } catch {
            throw .unreachable(ConnectionFailure.text(of: error))
        }
        guard let password else { return }
        let arguments = [Array("AUTH".utf8)] + (settings.user.map { [Array($0.utf8)] } ?? []) + [password.reveal()]
        switch try exchange([RedisCommand(arguments)]).first {
        case .status?: break
        case .error(let code)?: throw .notAuthenticated(code: code)
        default: throw .invalidResponse
        }
    }

    deinit {
        channel.close(promise: nil)
    }

    func exchange(_ commands: [RedisCommand]) throws(RedisFailure) -> [RedisReply] {
        let request = RedisRequest(commands: commands, replies: channel.eventLoop.makePromise())
        let late = channel.eventLoop.scheduleTask(in: timeout) { request.replies.fail(RedisFailure.timedOut) }
        defer { late.cancel() }
        // A closed connection has no handler that could fail the request.
        channel.writeAndFlush(request).whenFailure { error in
            let reason = error is ChannelError ? "Redis closed it" : ConnectionFailure.text(of: error)
            request.replies.fail(RedisFailure.disconnected(reason))
        }
        do {
            return try request.replies.futureResult.wait()
        } catch {
            throw (error as? RedisFailure) ?? .disconnected(ConnectionFailure.text(of: error))
        }
    }
}

extension TLSConfiguration {
    /// Creates the configuration of TLS to Redis by reading its files.
    ///
    /// - Throws: ``ConfigurationError`` or ``FileError`` that names the invalid file.
    static func redis(_ files: LimitsConfiguration.Redis.TLS) throws -> Self {
        var configuration = try files.authorities.map { try pem($0) { try outgoing(trusting: $0) } } ?? outgoing
        if let certificate = files.certificate, let key = files.key {
            let chain = try pem(certificate) { try NIOSSLCertificate.fromPEMBytes($0) }
            configuration.certificateChain = chain.map { .certificate($0) }
            configuration.privateKey = try pem(key, isPrivate: true) {
                .privateKey(try NIOSSLPrivateKey(bytes: $0, format: .pem))
            }
        }
        return configuration
    }

    private static func pem<Part>(
        _ path: String,
        isPrivate: Bool = false,
        _ parse: ([UInt8]) throws -> Part
    ) throws -> Part {
        let content = try TrustedFile(path).read(isPrivate: isPrivate)
        guard let part = try? parse(content) else {
            throw ConfigurationError("\(path) is not a valid PEM file.")
        }
        return part
    }
}
