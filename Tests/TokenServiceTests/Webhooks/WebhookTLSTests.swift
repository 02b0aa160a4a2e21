import AsyncHTTPClient
import Foundation
import NIOCore
import NIOSSL
import TestSupport
import TestTraits
import Testing
import TokenMinting

@testable import ServiceSupport
@testable import TokenIssuance

/// A webhook behind TLS that is believed only if its certificate is.
@Suite(.watchdog) struct WebhookTLSTests {
    private static let allow = RawServer.Behaviour.answer(
        "HTTP/1.1 200 OK\r\nContent-Length: 14\r\n\r\n{\"allow\":true}"
    )

    private static func answer(
        from server: TestCertificate,
        trusting roots: [TestCertificate],
        maximumVersion: TLSVersion? = nil
    ) async throws -> WebhookResult? {
        var client = HTTPClient.Configuration.outgoing
        if !roots.isEmpty { client.tlsConfiguration?.trustRoots = .certificates(roots.map(\.certificate)) }
        var answer: WebhookResult?
        try await RawServer.run(allow, tls: try server.server(maximumVersion: maximumVersion)) { server in
            try await WebhookServerTests.withWebhook(
                scheme: "https",
                host: "localhost",
                port: server.port,
                client: client
            ) { webhook in
                answer = await webhook.result(
                    for: try WebhookSample.caller(),
                    try WebhookSample.vehicle("v1"),
                    requestID: "r"
                )
            }
            #expect(server.requests.count == (answer == .allowed ? 1 : 0))
        }
        return answer
    }

    @Test func believesACertificateThatItTrusts() async throws {
        let certificate = try TestCertificate(for: "localhost")
        #expect(try await Self.answer(from: certificate, trusting: [certificate]) == .allowed)
    }

    @Test("A certificate that no trusted authority signed is rejected", .tags(.s7))
    func refusesAnUnknownAuthority() async throws {
        let stranger = try TestCertificate(for: "localhost")
        try await expectNoAnswer(from: TestCertificate(for: "localhost"), trusting: [], saying: "not trusted")
        try await expectNoAnswer(
            from: TestCertificate(for: "localhost"),
            trusting: [stranger],
            saying: "not trusted"
        )
    }

    @Test("A certificate for another host is rejected", .tags(.s7))
    func refusesAnotherName() async throws {
        let certificate = try TestCertificate(for: "example.com")
        try await expectNoAnswer(from: certificate, trusting: [certificate], saying: "host name mismatch")
    }

    @Test("A certificate that names the host in its subject only is rejected", .tags(.s7))
    func refusesACommonName() async throws {
        let certificate = try TestCertificate(for: "localhost", isAlternativeName: false)
        try await expectNoAnswer(from: certificate, trusting: [certificate], saying: "subject alternative name")
    }

    @Test("A certificate that is expired or not yet valid is rejected", .tags(.s7), arguments: [-7200.0, 7200])
    func refusesACertificateOutOfTime(offset: TimeInterval) async throws {
        let certificate = try TestCertificate(for: "localhost", at: Date().addingTimeInterval(offset))
        try await expectNoAnswer(from: certificate, trusting: [certificate], saying: "not trusted")
    }

    @Test("A TLS version that is too old is rejected", .tags(.s7))
    func refusesOldVersions() async throws {
        let certificate = try TestCertificate(for: "localhost")
        try await expectNoAnswer(from: certificate, trusting: [certificate], maximumVersion: .tlsv11)
        #expect(try await Self.answer(from: certificate, trusting: [certificate], maximumVersion: .tlsv12) == .allowed)
    }

    @Test("A webhook without TLS is rejected", .tags(.s7))
    func refusesPlainHTTP() async throws {
        // The server waits for a request's end that never comes, so what ends it is the limit on connecting.
        var client = HTTPClient.Configuration.outgoing
        client.timeout.connect = .milliseconds(50)
        try await RawServer.run(Self.allow) { server in
            try await WebhookServerTests.withWebhook(scheme: "https", port: server.port, client: client) { webhook in
                let answer = await webhook.result(
                    for: try WebhookSample.caller(),
                    try WebhookSample.vehicle("v1"),
                    requestID: "r"
                )
                guard case .noResponse = answer else {
                    Issue.record("\(answer)")
                    return
                }
            }
            #expect(server.requests.isEmpty)
        }
    }

    private func expectNoAnswer(
        from server: TestCertificate,
        trusting roots: [TestCertificate],
        maximumVersion: TLSVersion? = nil,
        saying hint: String = "handshake"
    ) async throws {
        let answer = try await Self.answer(from: server, trusting: roots, maximumVersion: maximumVersion)
        guard case .noResponse(let reason, _)? = answer else {
            Issue.record("\(String(describing: answer))")
            return
        }
        #expect(reason.lowercased().contains(hint), "\(reason)")
    }
}
