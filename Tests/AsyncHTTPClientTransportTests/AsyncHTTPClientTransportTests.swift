#if canImport(AsyncHTTPClient)
import AsyncHTTPClient
import AsyncHTTPClientTransport
import FleetToken
import Foundation
import NIOCore
import NIOPosix
import NIOSSL
import TestSupport
import TestTraits
import Testing
import TokenProvider

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A backend's transport, against a server that writes exactly these bytes and closes the connection.
@Suite(.watchdog)
struct AsyncHTTPClientTransportTests {
    private func serve(
        _ response: String?,
        certificate: TestCertificate? = nil
    ) async throws -> (port: Int, channel: any Channel, requests: Requests) {
        let requests = Requests()
        let tls = try certificate?.server()
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    if let tls { try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: tls)) }
                    try channel.pipeline.syncOperations.addHandler(Writer(response: response, requests: requests))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        return (try #require(channel.localAddress?.port), channel, requests)
    }

    private func source(_ port: Int, timeout: TimeInterval = 10, bodyLimit: Int = 65_536) throws -> HTTPTokenSource {
        var configuration = HTTPTokenSource.Configuration()
        configuration.transport = .asyncHTTPClient()
        configuration.timeout = timeout
        configuration.maximumBodyBytes = bodyLimit
        let server = try #require(URL(string: "http://127.0.0.1:\(port)"))
        return HTTPTokenSource(server: server, configuration: configuration) { _ in
            ["Authorization": "Bearer CREDENTIAL"]
        }
    }

    private func failure(
        _ response: String?,
        timeout: TimeInterval = 10,
        bodyLimit: Int = 65_536
    ) async throws -> TokenProviderError? {
        let server = try await serve(response)
        let source = try source(server.port, timeout: timeout, bodyLimit: bodyLimit)
        let error = await #expect(throws: TokenProviderError.self) {
            try await source.fetchToken(for: TokenFetchContext(scope: .server))
        }
        try await server.channel.close()
        return error
    }

    @Test(
        "swift-corelibs-foundation#5285: a response that breaks off in its head is transient, and the process goes on",
        arguments: [
            "HTTP/1.1 200 OK\r\nContent-Le", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n", "HTTP/1.1 2",
            "HTTP/1.1 200 OK\r\n",
            "",
        ]
    )
    func brokenHead(response: String) async throws {
        let error = try await failure(response)
        #expect(error?.code == .unavailable)
        #expect(error?.recovery == .retry)
    }

    @Test("So is a body that breaks off, and a response that is not HTTP")
    func brokenBody() async throws {
        #expect(try await failure("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{")?.code == .unavailable)
        #expect(try await failure("SSH-2.0-OpenSSH_9.2\r\n")?.code == .unavailable)
    }

    @Test("A server that doesn't respond is given up after the source's timeout")
    func timeout() async throws {
        #expect(try await failure(nil, timeout: 0.2)?.code == .deadlineExceeded)
    }

    @Test("An infinite timeout is no limit")
    func noTimeout() async throws {
        let response = "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"
        #expect(try await failure(response, timeout: .infinity)?.code == .notFound)
    }

    @Test("A request whose task is cancelled was cancelled, and its connection not lost")
    func cancellation() async throws {
        let server = try await serve(nil)
        let url = try #require(URL(string: "http://127.0.0.1:\(server.port)"))
        let task = Task {
            _ = try await HTTPSender(.asyncHTTPClient(), timeout: 60, bodyLimit: 0).send(URLRequest(url: url))
        }
        while await server.requests.count == 0 { await Task.yield() }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        try await server.channel.close()
    }

    @Test("A response over the source's limit is an error")
    func size() async throws {
        let body = String(repeating: " ", count: 1_000)
        let error = try await failure("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n\(body)", bodyLimit: 999)
        #expect(error?.code == .unexpectedResponse)
    }

    @Test("A redirection is refused, and the other server gets no request", arguments: [301, 302, 303, 307, 308])
    func redirection(status: Int) async throws {
        let other = try await serve("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")
        let error = try await failure(
            "HTTP/1.1 \(status) Moved\r\nLocation: http://127.0.0.1:\(other.port)/\r\nContent-Length: 0\r\n\r\n"
        )
        #expect(error?.code == .redirected)
        #expect(await other.requests.count == 0)
        try await other.channel.close()
    }

    /// What keeps a request from being sent, and the error of each transport.
    struct Fault: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let host: String
        let isTLS: Bool
        let code: TokenProviderError.Code
        let underlying: [URLError.Code]
    }

    @Test(
        "A request that cannot be sent fails immediately, alike with both transports",
        arguments: [
            Fault(
                testDescription: "the connection is refused",
                host: "127.0.0.1",
                isTLS: false,
                code: .unavailable,
                underlying: [.cannotConnectToHost]
            ),
            Fault(
                testDescription: "the host is unknown",
                host: "host.invalid",
                isTLS: false,
                code: .unavailable,
                underlying: [.cannotFindHost]
            ),
            Fault(
                testDescription: "the certificate is not trusted",
                host: "localhost",
                isTLS: true,
                code: .insecureConnection,
                underlying: [.serverCertificateUntrusted, .serverCertificateHasUnknownRoot]
            ),
        ],
        [HTTPTransport.asyncHTTPClient(), .standard]
    )
    func faults(_ fault: Fault, _ transport: HTTPTransport) async throws {
        let server = try await serve("", certificate: fault.isTLS ? TestCertificate(for: "localhost") : nil)
        if !fault.isTLS { try await server.channel.close() }
        var configuration = HTTPTokenSource.Configuration()
        configuration.transport = transport
        configuration.allowsInsecureHTTP = true
        let url = try #require(URL(string: "\(fault.isTLS ? "https" : "http")://\(fault.host):\(server.port)"))
        let source = HTTPTokenSource(server: url, configuration: configuration)
        let start = Date()
        let error = await #expect(throws: TokenProviderError.self) {
            try await source.fetchToken(for: TokenFetchContext(scope: .server))
        }
        // The time limit is ten seconds.
        #expect(Date().timeIntervalSince(start) < 5)
        #expect(error?.code == fault.code)
        #expect(
            fault.underlying.map(\.rawValue).contains(error?.underlyingError?.code ?? 0),
            "\(String(describing: error))"
        )
        if fault.isTLS { try await server.channel.close() }
    }

    @Test("Status, header fields and body arrive, and the credentials are sent")
    func response() async throws {
        let body = #"{"error":{"message":"No."}}"#
        let server = try await serve(
            "HTTP/1.1 429 Too Many\r\nRetry-After: 7\r\nX-Request-Id: abc\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
        )
        let source = try source(server.port)
        let error = await #expect(throws: TokenProviderError.self) {
            try await source.fetchToken(for: TokenFetchContext(scope: .server))
        }
        #expect(error?.code == .resourceExhausted && error?.retryAfter == 7 && error?.requestID == "abc")
        let request = await server.requests.first
        #expect(request?.hasPrefix("GET /token/server HTTP/1.1\r\n") == true)
        #expect(request?.contains("Bearer CREDENTIAL") == true)
        try await server.channel.close()
    }

    @Test("The body of a request is sent")
    func body() async throws {
        let server = try await serve("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")
        let source = try source(server.port)
        let scope = TokenScope.deliveryBatch(tasks: try TaskBatch([try ResourceID("t-1")]))
        await #expect(throws: TokenProviderError.self) {
            try await source.fetchToken(for: TokenFetchContext(scope: scope))
        }
        #expect(await server.requests.first?.hasSuffix(#"{"taskIds":["t-1"]}"#) == true)
        try await server.channel.close()
    }
}

/// The requests of a server.
private actor Requests {
    private(set) var first: String?
    private(set) var count = 0

    func note(_ text: String) {
        count += 1
        if first == nil { first = text }
    }
}

/// Writes a response to a request, and closes the connection; nil for no response.
private final class Writer: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let response: String?
    private let requests: Requests
    private var request = ""

    /// Whether the request is there with its body, which may come behind its head.
    private var isWhole: Bool {
        guard let end = request.firstRange(of: "\r\n\r\n") else { return false }
        let length = request[..<end.lowerBound].lowercased().firstMatch(of: /content-length: (\d+)/)
        return request[end.upperBound...].utf8.count >= length.flatMap { Int($0.1) } ?? 0
    }

    init(response: String?, requests: Requests) {
        self.response = response
        self.requests = requests
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        request += String(buffer: unwrapInboundIn(data))
        guard isWhole else { return }
        let (text, requests, response) = (request, requests, response)
        let channel = context.channel
        Task {
            await requests.note(text)
            guard let response else { return }
            try? await channel.writeAndFlush(ByteBuffer(string: response))
            try? await channel.close()
        }
    }
}
#endif
