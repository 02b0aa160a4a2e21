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

    /// What is wrong with a certificate, and what the reason says of it.
    enum Fault: String, CaseIterable, Sendable {
        case unknownAuthority, otherAuthority, otherName, commonNameOnly, expired, notYetValid, oldVersion

        func certificate() throws -> TestCertificate {
            switch self {
            case .otherName: try TestCertificate(for: "example.com")
            case .commonNameOnly: try TestCertificate(for: "localhost", isAlternativeName: false)
            case .expired: try TestCertificate(for: "localhost", at: Date().addingTimeInterval(-7200))
            case .notYetValid: try TestCertificate(for: "localhost", at: Date().addingTimeInterval(7200))
            case .unknownAuthority, .otherAuthority, .oldVersion: try TestCertificate(for: "localhost")
            }
        }

        var hint: String {
            switch self {
            case .unknownAuthority, .otherAuthority, .expired, .notYetValid: "not trusted"
            case .otherName: "host name mismatch"
            case .commonNameOnly: "subject alternative name"
            case .oldVersion: "handshake"
            }
        }
    }

    @Test("A certificate of a trusted authority is accepted with TLS 1.2")
    func trusted() async throws {
        let certificate = try TestCertificate(for: "localhost")
        #expect(try await Self.answer(from: certificate, trusting: [certificate], maximumVersion: .tlsv12) == .allowed)
    }

    @Test("An untrusted certificate or an old TLS version denies", .tags(.s7), arguments: Fault.allCases)
    func fault(fault: Fault) async throws {
        let certificate = try fault.certificate()
        let roots =
            switch fault {
            case .unknownAuthority: [TestCertificate]()
            case .otherAuthority: [try TestCertificate(for: "localhost")]
            default: [certificate]
            }
        let answer = try await Self.answer(
            from: certificate,
            trusting: roots,
            maximumVersion: fault == .oldVersion ? .tlsv11 : nil
        )
        let reason = try #require(answer).reason()
        #expect(reason.lowercased().contains(fault.hint), "\(reason)")
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
                _ = try answer.reason()
            }
            #expect(server.requests.isEmpty)
        }
    }
}
