#if canImport(AsyncHTTPClient)
import AsyncHTTPClient
import AsyncHTTPClientTransport
import FleetToken
import Foundation
import TestSupport
import TestTraits
import Testing
import TokenProvider

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A backend's transport, against a server that writes exactly these bytes and closes the connection.
@Suite("A backend's transport", .watchdog)
struct AsyncHTTPClientTransportTests {
    private func source(_ port: Int, timeout: TimeInterval = 10) throws -> HTTPTokenSource {
        var configuration = HTTPTokenSource.Configuration()
        configuration.transport = .asyncHTTPClient()
        configuration.timeout = timeout
        let server = try #require(URL(string: "http://127.0.0.1:\(port)"))
        return HTTPTokenSource(server: server, configuration: configuration) { _ in
            ["Authorization": "Bearer CREDENTIAL"]
        }
    }

    private func failure(_ source: HTTPTokenSource, _ scope: TokenScope = .server) async -> TokenProviderError? {
        await #expect(throws: TokenProviderError.self) {
            try await source.fetchToken(for: TokenFetchContext(scope: scope))
        }
    }

    /// Returns the error of a request that gets these bytes and the end of the connection; nil for no response.
    private func failure(_ response: String?, timeout: TimeInterval = 10) async throws -> TokenProviderError? {
        var error: TokenProviderError?
        try await RawServer.run(response.map { .answerAndClose($0) } ?? .silence) { server in
            error = await failure(try source(server.port, timeout: timeout))
        }
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
        #expect(error?.needsAction == false)
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
        try await RawServer.run(.silence) { server in
            let url = try #require(URL(string: "http://127.0.0.1:\(server.port)"))
            let task = Task {
                _ = try await HTTPSender(.asyncHTTPClient(), timeout: 60, bodyLimit: 0).send(URLRequest(url: url))
            }
            while server.requests.isEmpty { await Task.yield() }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
        }
    }

    @Test("A response over the source's limit is an error")
    func size() async throws {
        let body = String(repeating: " ", count: 65_537)
        let error = try await failure("HTTP/1.1 200 OK\r\nContent-Length: 65537\r\n\r\n\(body)")
        #expect(error?.code == .unexpectedResponse)
    }

    @Test("A redirection is refused, and the other server gets no request", arguments: [301, 302, 303, 307, 308])
    func redirection(status: Int) async throws {
        try await RawServer.run(.answerAndClose("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")) { other in
            let error = try await failure(
                "HTTP/1.1 \(status) Moved\r\nLocation: http://127.0.0.1:\(other.port)/\r\nContent-Length: 0\r\n\r\n"
            )
            #expect(error?.code == .redirected)
            #expect(other.requests.isEmpty)
        }
    }

    /// What keeps a request from being sent, and the error of each transport.
    enum Fault: String {
        case refusedConnection, unknownHost, untrustedCertificate

        var host: String {
            self == .refusedConnection ? "127.0.0.1" : self == .unknownHost ? "host.invalid" : "localhost"
        }
        var code: TokenErrorCode { self == .untrustedCertificate ? .insecureConnection : .unavailable }
        var underlying: [URLError.Code] {
            switch self {
            case .refusedConnection: [.cannotConnectToHost]
            case .unknownHost: [.cannotFindHost]
            case .untrustedCertificate: [.serverCertificateUntrusted, .serverCertificateHasUnknownRoot]
            }
        }
    }

    @Test(
        "A request that cannot be sent fails immediately, alike with both transports",
        arguments: [Fault.refusedConnection, .unknownHost, .untrustedCertificate],
        [HTTPTransport.asyncHTTPClient(), .session()]
    )
    func faults(_ fault: Fault, _ transport: HTTPTransport) async throws {
        let isTLS = fault == .untrustedCertificate
        let tls = isTLS ? try TestCertificate(for: "localhost").server() : nil
        try await RawServer.run(.silence, tls: tls) { server in
            var configuration = HTTPTokenSource.Configuration()
            configuration.transport = transport
            configuration.allowsInsecureHTTP = true
            // Nothing listens on the first port.
            let port = fault == .refusedConnection ? 1 : server.port
            let url = try #require(URL(string: "\(isTLS ? "https" : "http")://\(fault.host):\(port)"))
            let start = Date()
            let error = await failure(HTTPTokenSource(server: url, configuration: configuration))
            // The time limit is ten seconds.
            #expect(Date().timeIntervalSince(start) < 5)
            #expect(error?.code == fault.code)
            #expect(
                fault.underlying.map(\.rawValue).contains(error?.underlyingError?.code ?? 0),
                "\(String(describing: error))"
            )
        }
    }

    @Test("Status, header fields and body arrive, and the credentials are sent")
    func response() async throws {
        let body = #"{"error":{"message":"No."}}"#
        let head = "HTTP/1.1 429 Too Many\r\nRetry-After: 7\r\nX-Request-Id: abc\r\nContent-Length: \(body.utf8.count)"
        try await RawServer.run(.answerAndClose("\(head)\r\n\r\n\(body)")) { server in
            let error = await failure(try source(server.port))
            #expect(error?.code == .resourceExhausted && error?.retryAfter == 7 && error?.requestID == "abc")
            let request = server.requests.first
            #expect(request?.hasPrefix("GET /token/server HTTP/1.1\r\n") == true)
            #expect(request?.contains("Bearer CREDENTIAL") == true)
        }
    }

    @Test("The body of a request is sent")
    func body() async throws {
        try await RawServer.run(.answerAndClose("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")) { server in
            let scope = try TokenScope(kind: .deliveryServer, id: nil, taskIDs: ["t-1"])
            #expect(await failure(try source(server.port), scope)?.code == .notFound)
            #expect(server.requests.first?.hasSuffix(#"{"taskIds":["t-1"]}"#) == true)
        }
    }
}
#endif
