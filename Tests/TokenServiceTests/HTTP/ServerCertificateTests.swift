import AsyncHTTPClient
import FleetToken
import Foundation
import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTP1
import NIOSSL
import TestSupport
import TestTools
import Testing

@testable import ServiceSupport
@testable import TokenService

@Suite(.watchdog)
struct ServerCertificateTests {
    private struct Hello: Responder {
        func respond(to request: Request) async -> Response {
            var response = Response(status: .ok)
            response.requestID = "1"
            return response
        }
    }

    @Test(
        arguments: [-3600.0, 3600.0]
    )
    func `A certificate that is expired or not yet valid is refused, and the last one stays`(offset: Double) throws {
        let files = try CertificateFiles(try TestCertificate(for: "localhost"))
        let certificate = try files.load()
        let context = ObjectIdentifier(certificate.context)
        try files.replace(with: try TestCertificate(for: "localhost", at: Date().addingTimeInterval(offset)))
        let problem = #expect(throws: OperatorError.self) { try files.reload(certificate) }
        #expect(problem?.description.contains(files.path("tls.crt")) == true)
        #expect(problem?.description.contains(offset < 0 ? "expired at" : "is not valid before") == true)
        #expect(ObjectIdentifier(certificate.context) == context)
        #expect(throws: OperatorError.self) { try files.load() }
    }

    @Test
    func `A certificate is expired in the second of its end`() throws {
        let made = try TestCertificate(for: "localhost")
        let files = try CertificateFiles(made)
        let end = NumericDate(seconds: Int64(made.certificate.notValidAfter))
        #expect(throws: Never.self) { try files.load(now: end - 1) }
        #expect(throws: OperatorError.self) { try files.load(now: end) }
    }

    @Test
    func `Files that are incomplete or no pair leave the last certificate in use`() throws {
        let files = try CertificateFiles(try TestCertificate(for: "localhost"))
        let certificate = try files.load()
        let context = ObjectIdentifier(certificate.context)
        let next = try TestCertificate(for: "localhost")
        let half = String(next.certificatePEM.prefix(next.certificatePEM.count / 2))
        for (text, name, hint) in [
            (half, "tls.crt", "tls.crt is not a valid PEM file"), ("", "tls.crt", "tls.crt"),
            (next.certificatePEM, "tls.crt", "do not match"),
            (half, "tls.key", "tls.key has a certificate and no private key"),
        ] {
            try files.write(text, to: name)
            let problem = #expect(throws: (any Error).self) { try files.reload(certificate) }
            #expect(problem.map { "\($0)" }?.contains(hint) == true, "\(name): \(problem.map { "\($0)" } ?? "")")
            #expect(ObjectIdentifier(certificate.context) == context)
        }
        try FileManager.default.removeItem(atPath: files.path("tls.crt"))
        #expect(throws: (any Error).self) { try files.reload(certificate) }
        try files.replace(with: next)
        try files.reload(certificate)
        #expect(ObjectIdentifier(certificate.context) != context)
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

    @Test
    func `New connections get the new certificate, and open ones continue`() async throws {
        let (first, second) = (try TestCertificate(for: "localhost"), try TestCertificate(for: "localhost"))
        let files = try CertificateFiles(first)
        let certificate = try files.load()
        try await Listener.run(Hello(), certificate: certificate) { port in
            let status = { (client: HTTPClient) async throws -> HTTPResponseStatus in
                let request = HTTPClientRequest(url: "https://localhost:\(port)/")
                let response = try await client.execute(request, timeout: .seconds(30))
                // Only a connection whose response has been read is used again.
                _ = try await response.body.collect(upTo: 1024)
                return response.status
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
