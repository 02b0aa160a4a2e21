import AsyncHTTPClient
import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOSSL
import TestSupport
import TestTraits
import Testing

@testable import HTTPServer
@testable import ServiceSupport

/// A new certificate is for new connections; those that are open go on.
@Suite(.watchdog)
struct CertificateReloadTests {
    private struct Hello: Responder {
        func respond(to request: Request) async -> Response { Response(status: .ok) }
    }

    /// A client that trusts one certificate, and keeps its one connection.
    private static func client(trusting certificate: TestCertificate) -> HTTPClient {
        var configuration = HTTPClient.Configuration()
        configuration.tlsConfiguration = .makeClientConfiguration()
        configuration.tlsConfiguration?.trustRoots = .certificates([certificate.certificate])
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 1
        configuration.connectionPool.retryConnectionEstablishment = false
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    @Test("New connections get the new certificate, and open ones continue")
    func newConnectionsTakeTheNewOneAndOpenOnesGoOn() async throws {
        let (first, second) = (try TestCertificate(for: "localhost"), try TestCertificate(for: "localhost"))
        let files = try CertificateFiles(first)
        let certificate = try files.load()
        try await Listener.run(Hello(), certificate: certificate) { port in
            let status = { (client: HTTPClient) async throws -> HTTPResponseStatus in
                let request = HTTPClientRequest(url: "https://localhost:\(port)/")
                return try await client.execute(request, timeout: .seconds(30)).status
            }
            let clients = [first, first, second].map(Self.client)
            #expect(try await status(clients[0]) == .ok)
            await #expect(throws: (any Error).self) { try await status(clients[2]) }
            try files.replace(with: second)
            try files.reload(certificate)
            // Its connection was made with the first certificate, and a new one could not be.
            #expect(try await status(clients[0]) == .ok)
            await #expect(throws: (any Error).self) { try await status(clients[1]) }
            #expect(try await status(clients[2]) == .ok)
            for client in clients { try await client.shutdown() }
        }
    }
}
