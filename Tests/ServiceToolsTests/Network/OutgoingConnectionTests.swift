import AsyncHTTPClient
import FleetToken
import NIOCore
import NIOPosix
import NIOSSL
import TestSupport
import TestTraits
import Testing

@testable import ServiceConfiguration
@testable import ServiceSupport
@testable import ServiceTools
@testable import TokenIssuance
@testable import TokenMinting
@testable import TokenService

/// All that this service asks of others goes over TLS as it should be, and what goes wrong is called by its name.
@Suite(.watchdog) struct OutgoingConnectionTests {
    /// Who asks.
    enum Client: CaseIterable, Sendable {
        case keySets, google, webhook, doctor, probe

        private static func question(to url: String) throws -> WebhookRequest {
            WebhookRequest(url: try WebhookURL(url), headers: [], body: Array("{}".utf8), timeout: .seconds(3600))
        }

        /// Asks for something at a URL several times, with connections that are kept.
        ///
        /// - Returns: How often there was an answer.
        func answers(from url: String, times: Int) async throws -> Int {
            let doctor = HTTPDoctorNetwork()
            let answers = try await HTTPClient.withHTTPClient(configuration: .outgoing) { client in
                var answers = 0
                for _ in 0..<times {
                    do {
                        switch self {
                        case .google: _ = try await HTTPGoogleTransport(client: client).send(GoogleRequest(.get, url))
                        case .webhook:
                            _ = try await HTTPWebhookTransport(client: client).post(Self.question(to: url))
                        case .doctor: _ = try await doctor.get(url, trusting: nil)
                        case .keySets, .probe: Issue.record("has no kept connection, or TLS only")
                        }
                        answers += 1
                    } catch {
                        Issue.record(error)
                    }
                }
                return answers
            }
            await doctor.shutdown()
            return answers
        }

        /// Asks for something at a URL.
        ///
        /// - Returns: What went wrong, in words.
        func failure(at url: String) async throws -> String {
            switch self {
            case .keySets:
                let client = KeySetClient()
                let failure = await #expect(throws: KeySetTransferError.self) {
                    _ = try await client.answer(from: try KeySetURL(url))
                }
                try await client.shutdown()
                return failure?.description ?? ""
            case .google:
                return try await HTTPClient.withHTTPClient(configuration: .outgoing) { client in
                    let failure = await #expect(throws: GoogleTransportError.self) {
                        _ = try await HTTPGoogleTransport(client: client).send(GoogleRequest(.get, url))
                    }
                    return failure?.text ?? ""
                }
            case .webhook:
                return try await HTTPClient.withHTTPClient(configuration: .outgoing) { client in
                    let request = try Self.question(to: url)
                    let failure = await #expect(throws: WebhookFailure.self) {
                        _ = try await HTTPWebhookTransport(client: client).post(request)
                    }
                    guard case .failed(let reason)? = failure else { return "\(String(describing: failure))" }
                    return reason
                }
            case .doctor, .probe:
                let network = HTTPDoctorNetwork()
                let failure = await #expect(throws: ProbeFailure.self) {
                    if self == .doctor {
                        _ = try await network.get(url, trusting: nil)
                    } else {
                        try await network.connect(to: url)
                    }
                }
                await network.shutdown()
                return failure?.description ?? ""
            }
        }
    }

    private static func failure(_ client: Client, tls: NIOSSLContext) async throws -> String {
        var failure = ""
        try await RawServer.run(.silence, tls: tls) { server in
            failure = try await client.failure(at: "https://localhost:\(server.port)/")
            #expect(server.requests == [])
        }
        return failure
    }

    @Test(arguments: Client.allCases)
    func tlsBefore12IsRefused(client: Client) async throws {
        let server = try TestCertificate(for: "localhost").server(maximumVersion: .tlsv11)
        #expect(try await Self.failure(client, tls: server).contains("TLS handshake failed"))
    }

    @Test(arguments: Client.allCases)
    func cipherSuitesWithoutAuthenticatedEncryptionAreRefused(client: Client) async throws {
        let server = try TestCertificate(for: "localhost").server(
            maximumVersion: .tlsv12,
            cipherSuites: [.TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA, .TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA]
        )
        #expect(try await Self.failure(client, tls: server).contains("TLS handshake failed"))
    }

    @Test(arguments: Client.allCases)
    func aCertificateThatIsNotTrustedIsCalledThat(client: Client) async throws {
        let server = try TestCertificate(for: "localhost").server()
        let failure = try await Self.failure(client, tls: server)
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
            var request = OutgoingClient.Request("https://localhost:\(server.port)/", maximumSize: 100)
            request.authorities = Array(certificate.certificatePEM.utf8)
            let outgoing = request
            let failure = try await HTTPClient.withHTTPClient(configuration: .outgoing) { client in
                do throws(OutgoingClient.Failure) {
                    return "\(try await OutgoingClient(client).send(outgoing).status)"
                } catch {
                    return "\(error)"
                }
            }
            #expect(failure.contains(isAlternativeName ? "200" : reason), "\(failure)")
            #expect(server.requests.count == (isAlternativeName ? 1 : 0))
        }
    }

    @Test(arguments: Client.allCases)
    func aHostWhereNobodyListensIsCalledThat(client: Client) async throws {
        let listener = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .bind(host: "127.0.0.1", port: 0).get()
        let port = try #require(listener.localAddress?.port)
        try await listener.close()
        #expect(try await client.failure(at: "https://localhost:\(port)/").contains("Connection refused"))
    }

    /// A server may close a kept connection while the next request is on its way to it.
    ///
    /// Key sets, which need TLS, use the same client.
    @Test(arguments: [Client.google, .webhook, .doctor], [false, true])
    func aRequestOnAConnectionThatTheServerClosesIsSentOnceMore(client: Client, reset: Bool) async throws {
        let answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"
        try await RawServer.run(.answerOnce(answer, reset: reset)) { server in
            let answers = try await client.answers(from: "http://localhost:\(server.port)/", times: 3)
            #expect(answers == 3)
            // The second and the third are sent on the connection of the one before, and then on their own.
            #expect(server.requests.count == 5)
        }
    }

    /// More than AsyncHTTPClient's default, which would let the ninth wait for the first.
    @Test func requestsWaitForNoOthersConnection() async throws {
        try await TestIssuer.run { issuer in
            issuer.answer(.silence)
            try await HTTPClient.withHTTPClient(configuration: .outgoing) { client in
                let transport = HTTPGoogleTransport(client: client)
                await withTaskGroup(of: Void.self) { group in
                    for _ in 0..<40 {
                        group.addTask { _ = try? await transport.send(GoogleRequest(.get, issuer.url)) }
                    }
                    await issuer.waitUntil { requests, _ in requests == 40 }
                    group.cancelAll()
                }
            }
        }
    }
}
