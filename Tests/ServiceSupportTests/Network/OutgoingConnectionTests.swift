import AsyncHTTPClient
import FleetToken
import NIOCore
import NIOPosix
import NIOSSL
import TestSupport
import TestTraits
import Testing

@testable import ServiceSupport

@Suite("Outgoing connections use TLS, and failures are named", .watchdog)
struct OutgoingConnectionTests {
    /// Returns why a request to a URL has no response.
    private static func failure(at url: String) async throws -> String {
        try await HTTPClient.withHTTPClient(configuration: .outgoing) { client in
            let failure = await #expect(throws: OutgoingError.self) {
                try await OutgoingClient(client, clock: .system).send(OutgoingRequest(.get, url))
            }
            return failure?.description ?? ""
        }
    }

    private static func failure(tls: NIOSSLContext) async throws -> String {
        var failure = ""
        try await RawServer.run(.silence, tls: tls) { server in
            failure = try await Self.failure(at: "https://localhost:\(server.port)/")
            #expect(server.requests == [])
        }
        return failure
    }

    @Test("TLS before 1.2 is refused")
    func oldTLS() async throws {
        let server = try TestCertificate(for: "localhost").server(maximumVersion: .tlsv11)
        #expect(try await Self.failure(tls: server).contains("TLS handshake failed"))
    }

    @Test("Cipher suites without authenticated encryption are refused")
    func cipherSuites() async throws {
        let server = try TestCertificate(for: "localhost").server(
            maximumVersion: .tlsv12,
            cipherSuites: [.TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA, .TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA]
        )
        #expect(try await Self.failure(tls: server).contains("TLS handshake failed"))
    }

    @Test("A certificate that is not trusted is named as the reason")
    func untrusted() async throws {
        let server = try TestCertificate(for: "localhost").server()
        let failure = try await Self.failure(tls: server)
        #expect(failure.contains("certificate not trusted"), "\(failure)")
        #expect(!failure.contains("/"), "\(failure)")
    }

    @Test(
        "A server is known by its alternative names only: key sets, Google, webhooks and the doctor share this client",
        arguments: [(true, ""), (false, "it has no subject alternative name")]
    )
    func alternativeNames(isAlternativeName: Bool, reason: String) async throws {
        let certificate = try TestCertificate(for: "localhost", isAlternativeName: isAlternativeName)
        let answer = RawServer.Behaviour.answerAndClose("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        try await RawServer.run(answer, tls: try certificate.server()) { server in
            var request = OutgoingRequest(.get, "https://localhost:\(server.port)/")
            request.authorities = Array(certificate.certificatePEM.utf8)
            let outgoing = request
            let failure = try await HTTPClient.withHTTPClient(configuration: .outgoing) { client in
                do throws(OutgoingError) {
                    return "\(try await OutgoingClient(client, clock: .system).send(outgoing).status)"
                } catch {
                    return "\(error)"
                }
            }
            #expect(failure.contains(isAlternativeName ? "200" : reason), "\(failure)")
            #expect(server.requests.count == (isAlternativeName ? 1 : 0))
        }
    }

    @Test("A refused connection is named as the reason")
    func refused() async throws {
        let listener = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .bind(host: "127.0.0.1", port: 0).get()
        let port = try #require(listener.localAddress?.port)
        try await listener.close()
        #expect(try await Self.failure(at: "https://localhost:\(port)/").contains("Connection refused"))
    }

    /// A server may close a kept connection while the next request is on its way to it.
    @Test(
        "A request on a connection that the server closes is sent once more",
        arguments: [OutgoingRequest.Method.get, .post],
        [false, true]
    )
    func closedConnection(method: OutgoingRequest.Method, reset: Bool) async throws {
        let answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"
        try await RawServer.run(.answerOnce(answer, reset: reset)) { server in
            var request = OutgoingRequest(method, "http://localhost:\(server.port)/")
            if method == .post { request.body = Secret("{}") }
            let repeated = request
            try await HTTPClient.withHTTPClient(configuration: .outgoing) { client in
                for _ in 0..<3 {
                    let response = try await OutgoingClient(client, clock: .system).send(repeated)
                    #expect(response.body.revealText() == "{}")
                }
            }
            // The second and the third are sent on the connection of the one before, and then on their own.
            #expect(server.requests.count == 5)
        }
    }

    /// More than AsyncHTTPClient's default, which would let the ninth wait for the first.
    @Test("Forty requests to one host do not wait for each other")
    func connections() async throws {
        try await TestIssuer.run { issuer in
            issuer.answer(.silence)
            try await HTTPClient.withHTTPClient(configuration: .outgoing) { client in
                let http = OutgoingClient(client, clock: .system)
                await withTaskGroup(of: Void.self) { group in
                    for _ in 0..<40 {
                        group.addTask { _ = try? await http.send(OutgoingRequest(.get, issuer.url)) }
                    }
                    await issuer.waitUntil { requests, _ in requests == 40 }
                    group.cancelAll()
                }
            }
        }
    }
}
