import FleetToken
import NIOCore
import NIOPosix
import NIOSSL
import ServiceSupport
import TokenIssuance

/// A connection to Redis over SwiftNIO, with TLS if configured.
///
/// Requests that are made side by side share it: Redis is single-threaded, so more connections would only wait there. A
/// timeout covers each whole exchange, so a slow server cannot extend it; the first includes the TLS handshake.
final class RedisConnection: Sendable {
    /// How long connecting and each exchange may take.
    ///
    /// A script takes microseconds, and the network of a region a millisecond. 50 milliseconds were too short on a loaded
    /// host; an outage costs the requests in progress this time once.
    static let timeout = Duration.milliseconds(500)
    private let channel: any Channel
    private let timeout: TimeAmount

    /// Creates a connection, and authenticates.
    ///
    /// - Parameters:
    ///   - settings: The address, the user, and TLS.
    ///   - password: The password; nil if Redis requires none.
    ///   - timeout: How long connecting and each exchange may take.
    /// - Throws: ``RedisFailure`` if connecting or authentication fails.
    init(
        _ settings: LimitsConfiguration.Redis,
        password: Secret?,
        timeout: Duration = timeout
    ) async throws(RedisFailure) {
        self.timeout = TimeAmount(timeout)
        do {
            let tls = try settings.tls.map { try NIOSSLContext(configuration: .redis($0)) }
            channel = try await Self.channel(to: settings.address, tls, timeout: self.timeout)
        } catch {
            throw .unreachable((error as? any LoggableError)?.description ?? ConnectionFailure.text(of: error))
        }
        guard let password else { return }
        let arguments = [Array("AUTH".utf8)] + (settings.user.map { [Array($0.utf8)] } ?? []) + [password.reveal()]
        switch try await send(arguments) {
        case .status: break
        case .error(let code): throw .notAuthenticated(code: code)
        case .integer: throw .invalidResponse
        }
    }

    deinit { close() }

    func close() { channel.close(promise: nil) }

    /// Sends a command, and waits for the reply.
    ///
    /// - Throws: ``RedisFailure``, after which the connection is of no use.
    func send(_ arguments: [[UInt8]]) async throws(RedisFailure) -> RedisReply {
        var command = ByteBuffer(string: "*\(arguments.count)\r\n")
        for argument in arguments {
            command.writeString("$\(argument.count)\r\n")
            command.writeBytes(argument)
            command.writeString("\r\n")
        }
        let reply = channel.eventLoop.makePromise(of: RedisReply.self)
        // A closed connection has no handler that could fail the request.
        channel.writeAndFlush((command, reply)).whenFailure { reply.fail($0) }
        do {
            return try await Self.value(of: reply, within: timeout, otherwise: RedisFailure.timedOut)
        } catch {
            throw RedisFailure(error)
        }
    }

    private static func channel(
        to address: ListenAddress,
        _ tls: NIOSSLContext?,
        timeout: TimeAmount
    ) async throws -> any Channel {
        // SNI takes no IP address. The certificate must contain it nevertheless.
        let name = AddressRange.bytes(of: address.host) == nil ? address.host : nil
        let connecting = ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connectTimeout(timeout)
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    if let tls {
                        try channel.pipeline.syncOperations.addHandler(
                            NIOSSLClientHandler(context: tls, serverHostname: name)
                        )
                    }
                    try RedisReplyHandler.add(to: channel)
                }
            }
            .connect(host: address.host, port: address.port)
        // Looking up a name has only the system's timeout.
        let connected = connecting.eventLoop.makePromise(of: (any Channel).self)
        connecting.cascade(to: connected)
        connected.futureResult.whenFailure { _ in connecting.whenSuccess { $0.close(promise: nil) } }
        return try await value(of: connected, within: timeout, otherwise: ChannelError.connectTimeout(timeout))
    }

    /// Waits for a promise's value, or fails the promise after a time.
    private static func value<Value: Sendable>(
        of promise: EventLoopPromise<Value>,
        within timeout: TimeAmount,
        otherwise error: any Error
    ) async throws -> Value {
        let late = promise.futureResult.eventLoop.scheduleTask(in: timeout) { promise.fail(error) }
        defer { late.cancel() }
        return try await promise.futureResult.get()
    }
}

extension TLSConfiguration {
    /// Creates the configuration of TLS to Redis by reading its file of authorities.
    ///
    /// - Throws: ``ConfigurationError`` or ``FileError`` that names the invalid file.
    static func redis(_ tls: LimitsConfiguration.Redis.TLS) throws -> Self {
        guard let path = tls.authorities else { return outgoing }
        let pem = try TrustedFile(path).read()
        guard let configuration = try? outgoing(trusting: pem) else {
            throw ConfigurationError("\(path) is not a valid PEM file.")
        }
        return configuration
    }
}
