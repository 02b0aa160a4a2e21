import AsyncHTTPClient
import FleetToken
import NIOCore
import TestSupport
import TestTime
import TestTraits
import Testing
import TokenMinting

@testable import ServiceSupport
@testable import TokenIssuance
@testable import TokenService

/// A webhook that misbehaves, over real sockets.
@Suite(.watchdog) struct WebhookServerTests {
    typealias Behaviour = RawServer.Behaviour

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let behaviour: Behaviour
        let expected: WebhookResult

        init(_ description: String, _ behaviour: Behaviour, _ expected: WebhookResult) {
            testDescription = description
            self.behaviour = behaviour
            self.expected = expected
        }
    }

    private static func http(_ status: String, _ body: String, headers: String = "") -> String {
        "HTTP/1.1 \(status)\r\n\(headers)Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }

    private static func padded(to size: Int) -> String {
        #"{"allow":true,"x":""# + String(repeating: "x", count: size - 21) + #""}"#
    }

    private static let allow = #"{"allow":true}"#
    private static let late = WebhookResult.noResponse("it timed out after 1.5 seconds")
    private static let tooLarge = WebhookResult.noDecision("the body is larger than 65536 bytes")

    static let cases = [
        // What a webhook should do, so that the rest is denied for what it is and not because nothing works.
        Case("allow", .answer(http("200 OK", allow)), .allowed),
        Case("allow, and the connection closed", .answerAndClose(http("200 OK", allow)), .allowed),
        Case(
            "allow in chunks",
            .answer("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n7\r\n{\"allow\r\n7\r\n\":true}\r\n0\r\n\r\n"),
            .allowed
        ),
        Case("allow after 103", .answer("HTTP/1.1 103 Early Hints\r\n\r\n" + http("200 OK", allow)), .allowed),
        Case("64 KiB", .answer(http("200 OK", padded(to: 65_536))), .allowed),
        Case("deny", .answer(http("200 OK", #"{"allow":false}"#)), .denied),

        Case("allow with 204", .answerAndClose("HTTP/1.1 204 No Content\r\n\r\n" + allow), .noDecision("status 204")),
        Case(
            "503 for a minute and a half",
            .answer(http("503 Busy", "", headers: "Retry-After: 90.5\r\n")),
            .noResponse("status 503", retryAfter: 90.5)
        ),
        Case(
            "429 until a time",
            .answer(
                http(
                    "429 Many",
                    "",
                    headers: "Date: Sun, 06 Nov 1994 08:49:37 GMT\r\nRetry-After: Sun, 06 Nov 1994 08:50:07 GMT\r\n"
                )
            ),
            .noResponse("status 429", retryAfter: 30)
        ),
        Case(
            "503 for ever",
            .answer(http("503 Busy", "", headers: "Retry-After: 99999999999999999999999\r\n")),
            .noResponse("status 503", retryAfter: 300)
        ),
        Case(
            "gzip",
            .answer(http("200 OK", "\u{1F}\u{8B}", headers: "Content-Encoding: gzip\r\n")),
            .noDecision("it is not valid JSON (at byte 0)")
        ),

        Case("more than 64 KiB", .answer(http("200 OK", padded(to: 65_537))), tooLarge),
        Case(
            "a length of gigabytes",
            .dribble("HTTP/1.1 200 OK\r\nContent-Length: 9999999999\r\n\r\n", then: "x"),
            tooLarge
        ),
        Case(
            "endless chunks",
            .flood(
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
                then: "1000\r\n\(String(repeating: " ", count: 4096))\r\n"
            ),
            tooLarge
        ),
        Case("an endless body", .flood("HTTP/1.1 200 OK\r\n\r\n", then: String(repeating: " ", count: 4096)), tooLarge),
    ]

    static let lateCases = [
        Case("silence", .silence, late),
        Case("slow head", .dribble("HTTP/1.1 200 OK\r\nX-Slow: ", then: "x"), late),
        Case("slow interim answers", .dribble("", then: "HTTP/1.1 102 Processing\r\n\r\n"), late),
        Case("slow body", .dribble("HTTP/1.1 200 OK\r\nContent-Length: 60000\r\n\r\n", then: " "), late),
        Case("body that stops", .answer("HTTP/1.1 200 OK\r\nContent-Length: 15\r\n\r\n" + allow), late),
        Case(
            "chunks that don't end",
            .answer("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\ne\r\n\(allow)\r\n"),
            late
        ),
    ]

    @Test("A webhook denies unless its response is a clear allow", .tags(.s7), arguments: cases)
    func deniesUnlessTheAnswerIsClear(row: Case) async throws {
        try await RawServer.run(row.behaviour) { server in
            try await Self.withWebhook(port: server.port) { webhook in
                let answer = try await Self.answer(of: webhook)
                #expect(answer == row.expected)
            }
            #expect(server.requests.count == 1)
        }
    }

    @Test("A response that is late denies", .tags(.s7), arguments: lateCases)
    func deniesWhatIsLate(row: Case) async throws {
        try await RawServer.run(row.behaviour) { server in
            let clock = TestClock()
            let (caller, vehicle) = (try WebhookSample.caller(), try WebhookSample.vehicle("v1"))
            try await Self.withWebhook(port: server.port, clock: clock.service) { webhook in
                async let answer = webhook.result(for: caller, vehicle, requestID: "r")
                await clock.waitForSleepers()
                await server.waitUntilAnswered()
                #expect(clock.sleeps == [1.5])
                clock.advance(by: 1.5)
                #expect(await answer == row.expected)
            }
            #expect(server.requests.count == 1)
        }
    }

    @Test("A webhook that does not respond times out", .tags(.s7))
    func timesOut() async throws {
        try await RawServer.run(.silence) { server in
            try await Self.withWebhook(port: server.port, timeout: 20, clock: .system) { webhook in
                let answer = try await Self.answer(of: webhook)
                #expect(answer == .noResponse("it timed out after 0.02 seconds"))
            }
        }
    }

    @Test(
        "A broken connection or response denies",
        .tags(.s7),
        arguments: [
            Behaviour.answerAndReset(""),
            .answerAndReset("HTTP/1.1 200 OK\r\nContent-Length: 14\r\n\r\n"),
            .answerAndClose(""),
            .answerAndClose("HTTP/1.1 200 OK\r\nContent-Le"),
            .answerAndClose("HTTP/1.1 200 OK\r\nContent-Length: 15\r\n\r\n" + allow),
            .answerAndClose("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\ne\r\n\(allow)\r\n"),
            .answerAndClose(allow),
            .answerAndClose("HTTP/1.1 200 OK\r\nContent-Length: 14\r\nContent-Length: 15\r\n\r\n" + allow),
            .answerAndClose("HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n" + allow),
            .answerAndClose("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n\(allow)\r\n0\r\n\r\n"),
            .answerAndClose("\u{16}\u{3}\u{1}\u{2}"),
        ]
    )
    func brokenAnswerDenies(behaviour: Behaviour) async throws {
        try await RawServer.run(behaviour) { server in
            try await Self.withWebhook(port: server.port) { webhook in
                let answer = try await Self.answer(of: webhook)
                let reason = try answer.reason()
                #expect(!reason.contains("allow") && !reason.isEmpty)
            }
            // A connection that ends before a response begins may have been a kept one.
            let hasBegun =
                switch behaviour {
                case .answerAndClose(""), .answerAndReset(""): false
                default: true
                }
            #expect(server.requests.count == (hasBegun ? 1 : 2))
        }
    }

    @Test("A redirect is not followed", .tags(.s7), arguments: ["301", "302", "303", "307", "308"])
    func redirectIsNotFollowed(status: String) async throws {
        try await RawServer.run(.answer(Self.http("200 OK", Self.allow))) { target in
            let location = "Location: http://127.0.0.1:\(target.port)/\r\n"
            try await RawServer.run(.answer(Self.http("\(status) Moved", Self.allow, headers: location))) { server in
                try await Self.withWebhook(port: server.port) { webhook in
                    let answer = try await Self.answer(of: webhook)
                    #expect(answer == .noDecision("status \(status)"))
                }
                #expect(server.requests.count == 1)
            }
            #expect(target.requests.isEmpty)
        }
    }

    @Test("A refused connection denies", .tags(.s7))
    func refusedConnectionDenies() async throws {
        let (ports, port) = AsyncStream.makeStream(of: Int.self)
        try await RawServer.run(.silence) { port.yield($0.port) }
        let closed = try #require(await ports.first { _ in true })
        // A second try would hang until the time limit of this suite.
        var client = HTTPClient.Configuration.outgoing
        client.timeout.connect = .hours(1)
        try await Self.withWebhook(port: closed, client: client) { webhook in
            let answer = try await Self.answer(of: webhook)
            let reason = try answer.reason()
            #expect(reason.contains("refused"), "\(reason)")
        }
    }

    @Test("The caller's credential is not forwarded", .tags(.s7))
    func sendsTheQuestionAndNoCredential() async throws {
        try await RawServer.run(.answer(Self.http("200 OK", Self.allow))) { server in
            try await Self.withWebhook(port: server.port) { webhook in
                let caller = try WebhookSample.caller(claims: #"{"role":"driver","jti":"of-the-token"}"#)
                let scope = try WebhookSample.vehicle("v1")
                for _ in 0..<2 {
                    #expect(await webhook.result(for: caller, scope, requestID: "request-9") == .allowed)
                }
            }
            let request = try #require(server.requests.first)
            #expect(server.requests.count == 2)
            #expect(request.hasPrefix("POST /authorize?a=b HTTP/1.1\r\n"))
            #expect(request.contains("X-Request-Id: request-9\r\n"))
            #expect(request.hasSuffix(#""claims":{"role":"driver"}},"kind":"driver","ids":["v1"]}"#))
            for field in ["authorization", "cookie", "bearer", "of-the-token"] {
                #expect(!request.lowercased().contains(field))
            }
        }
    }

    @Test(
        "A call ends when its request is cancelled",
        arguments: [Behaviour.silence, .answer("HTTP/1.1 200 OK\r\nContent-Length: 15\r\n\r\n" + allow)]
    )
    func givesUpWhenItsCallerDoes(behaviour: Behaviour) async throws {
        try await RawServer.run(behaviour) { server in
            try await Self.withWebhook(port: server.port) { webhook in
                let question = Task { await webhook.result(for: try WebhookSample.caller(), .server, requestID: "r") }
                await server.waitUntilAnswered()
                question.cancel()
                _ = try await question.value.reason()
            }
        }
    }

    private static func answer(of webhook: AuthorizationWebhook) async throws -> WebhookResult {
        await webhook.result(for: try WebhookSample.caller(), try WebhookSample.vehicle("v1"), requestID: "r")
    }

    /// Runs a webhook whose time is never over, unless the test says otherwise.
    static func withWebhook(
        scheme: String = "http",
        host: String = "127.0.0.1",
        port: Int,
        timeout: Int64 = 1500,
        clock: ServiceClock = .stopped(),
        client configuration: HTTPClient.Configuration = .outgoing,
        _ body: (AuthorizationWebhook) async throws -> Void
    ) async throws {
        let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        let http = OutgoingClient(client, clock: clock)
        let url = "\(scheme)://\(host):\(port)/authorize?a=b"
        do {
            let webhook = try AuthorizationWebhook(
                WebhookConfiguration(name: "w", url: url, secretFile: "", timeout: timeout, claims: ["role"]),
                secret: Secret("0123456789abcdef0123456789abcdef"),
                http: http,
                clock: .system
            )
            try await body(webhook)
        } catch {
            try await client.shutdown()
            throw error
        }
        try await client.shutdown()
    }
}

extension WebhookResult {
    /// Why there is no response.
    func reason() throws -> String {
        guard case .noResponse(let reason, _) = self else { throw Failure(result: self) }
        return reason
    }

    private struct Failure: Error {
        let result: WebhookResult
    }
}
