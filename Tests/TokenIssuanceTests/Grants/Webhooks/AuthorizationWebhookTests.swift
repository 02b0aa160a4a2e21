import FleetToken
import TestSupport
import Testing

@testable import ServiceSupport
@testable import TokenIssuance

@Suite struct AuthorizationWebhookTests {
    private static let secret = Secret("0123456789abcdef0123456789abcdef")

    private static func webhook(_ http: FakeHTTP, claims: [String] = []) throws -> AuthorizationWebhook {
        let configuration = WebhookConfiguration(
            name: "trips",
            url: try WebhookURL("https://example.com/authorize?x=y"),
            secretFile: "",
            claims: claims
        )
        return AuthorizationWebhook(
            configuration,
            secret: secret,
            timeout: .milliseconds(250),
            http: http,
            clock: .stopped(at: 1_795_211_460)
        )
    }

    @Test
    func `A call is a signed POST`() async throws {
        let http = FakeHTTP(200, #"{"allow":true}"#)
        let webhook = try Self.webhook(http, claims: ["role"])
        let caller = try GrantSamples.caller(claims: #"{"role":"driver","secret":"s"}"#)
        #expect(try await webhook.result(for: caller, try .vehicle("v1"), in: .sample(id: "request-7")) == .allowed)

        let request = try #require(http.requests.first)
        #expect(http.requests.count == 1)
        #expect(request.url == "https://example.com/authorize?x=y")
        #expect(request.timeout == .milliseconds(250))
        let body = """
            {"caller":{"method":"jwt","name":"app","subject":"subject-1","claims":{"role":"driver"}},\
            "kind":"driver","ids":["v1"]}
            """
        #expect(request.body?.revealText() == body)
        #expect(request.method == .post && request.maximumSize == 65_536 && request.bearer == nil)
        let headers = Dictionary(uniqueKeysWithValues: request.headers.map { ($0.name, $0.value) })
        #expect(
            headers.keys.sorted()
                == ["Accept", "Content-Type", "Fleet-Token-Signature", "Fleet-Token-Timestamp", "X-Request-Id"]
        )
        #expect(headers["Content-Type"] == "application/json")
        #expect(headers["X-Request-Id"] == "request-7")
        let expected = WebhookSignature(secret: Self.secret).fields(
            for: Array(body.utf8),
            at: NumericDate(seconds: 1_795_211_460)
        )
        for field in expected { #expect(headers[field.name] == field.value) }
    }

    @Test(
        arguments: [
            (200, #"{"allow":true}"#, WebhookResult.allowed),
            (200, "\n { \"reason\" : \"x\", \"allow\" : true } \r\n", .allowed),
            (200, #"{"\u0061llow":true}"#, .allowed),
            (200, #"{"allow":true,"ids":["*"],"kind":"server"}"#, .allowed),
            (200, #"{"allow":false}"#, .denied),
            (200, "{}", .noDecision("allow is missing")),
            (200, #"{"Allow":true}"#, .noDecision("allow is missing")),
            (200, #"{"result":{"allow":true}}"#, .noDecision("allow is missing")),
            (200, #"{"allow":"true"}"#, .noDecision("allow is neither true nor false")),
            (200, #"{"allow":1}"#, .noDecision("allow is neither true nor false")),
            (200, #"{"allow":null}"#, .noDecision("allow is neither true nor false")),
            (200, #"{"allow":false,"allow":true}"#, .noDecision("an object has a duplicate member (at byte 27)")),
            (200, "true", .noDecision("it is not a JSON object (at byte 0)")),
            (200, "", .noDecision("it is not valid JSON (at byte 0)")),
            (201, #"{"allow":true}"#, .noDecision("status 201")),
            (204, "", .noDecision("status 204")),
            (301, #"{"allow":true}"#, .noDecision("status 301")),
            (400, #"{"allow":true}"#, .noDecision("status 400")),
            (429, #"{"allow":true}"#, .noResponse("status 429")),
            (500, #"{"allow":true}"#, .noResponse("status 500")),
            (599, "", .noResponse("status 599")),
            (600, #"{"allow":true}"#, .noDecision("status 600")),
        ]
    )
    func `Only a 200 with allow true allows`(status: Int, body: String, expected: WebhookResult) async throws {
        let webhook = try Self.webhook(FakeHTTP(status, body))
        #expect(try await webhook.result(for: try GrantSamples.caller(), try .vehicle("v1"), in: .sample) == expected)
    }

    @Test(
        arguments: [
            (OutgoingError.timedOut, WebhookResult.noResponse("it timed out after 0.25 seconds")),
            (.failed("connection refused"), .noResponse("connection refused")),
            (.tooLarge, .noDecision("the body is larger than 65536 bytes")),
        ]
    )
    func `A webhook that does not respond denies`(failure: OutgoingError, expected: WebhookResult) async throws {
        let webhook = try Self.webhook(FakeHTTP(failure))
        #expect(try await webhook.result(for: try GrantSamples.caller(), try .vehicle("v1"), in: .sample) == expected)
    }

    @Test
    func `A webhook's Retry-After is honored, at most five minutes`() async throws {
        let http = FakeHTTP(503, "", headers: ["retry-after": "99999999999999999999999"])
        let result = try await Self.webhook(http).result(
            for: try GrantSamples.caller(),
            try .vehicle("v1"),
            in: .sample
        )
        #expect(result == .noResponse("status 503", retryAfter: 300))
    }

    @Test
    func `A call is in the trace of its request, with a span of its own`() async throws {
        let http = FakeHTTP(200, #"{"allow":true}"#)
        let trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
        let call = IncomingCall.sample(id: "r", traceparent: trace)
        _ = try await Self.webhook(http).result(for: try GrantSamples.caller(), try .vehicle("v1"), in: call)
        let sent = try #require(http.requests.first?.headers.first { $0.name == "traceparent" }?.value)
        #expect(sent.prefix(36) == trace.prefix(36) && sent.hasSuffix("-01") && sent != trace)
    }

    // MARK: URLs

    @Test(
        arguments: [
            "https://example.com", "https://example.com/authorize", "https://example.com:8443/a/b?c=d",
            "https://10.0.0.1/",
            "http://127.0.0.1:8300/authorize", "http://localhost:8300", "http://[::1]:8300/", "http://127.9.9.9/",
            "https://[2001:db8::1]/",
        ]
    )
    func `An https URL, or an http one of this machine, is accepted`(text: String) throws {
        #expect(try WebhookURL(text).text == text)
    }

    @Test(
        arguments: [
            ("", "must be a valid URL"),
            ("https:///authorize", "must be a valid URL"),
            ("https://example.com\\@evil.example", "must be a valid URL"),
            ("https://example.com:65536", "must be a valid URL"),
            ("https://user@example.com", "must not contain a user"),
            ("https://user:password@example.com", "must not contain a user"),
            ("https://example.com/#fragment", "must not contain a user"),
            ("http://example.com", "must be https"),
            ("http://10.0.0.1", "must be https"),
            ("http://127.0.0.1.example.com", "must be https"),
            ("http://localhost.example.com", "must be https"),
            ("http://0.0.0.0", "must be https"),
            ("http://2130706433", "must be https"),
            ("http://[::ffff:10.0.0.1]", "must be https"),
            ("file:///etc/passwd", "must be"),
            ("ftp://example.com", "must be https"),
            ("http+unix://%2Frun%2Fsocket/x", "must be"),
        ]
    )
    func `Another URL is refused with the reason`(text: String, hint: String) throws {
        let error = try #require(throws: OperatorError.self) { try WebhookURL(text) }
        #expect(error.description.contains(hint), "\(error)")
        #expect(!error.description.contains("password@"))
    }
}
