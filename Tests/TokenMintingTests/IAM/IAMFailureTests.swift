import FleetToken
import ServiceSupport
import Synchronization
import TestSupport
import TestTools
import Testing

@testable import TokenMinting

@Suite(.watchdog)
struct IAMFailureTests {
    private typealias Misbehaviour = FakeGoogle.Misbehaviour

    // MARK: What is tried again

    @Test(
        arguments: [
            { _ in throw OutgoingError.failed("connection refused") },
            { _ in FakeGoogle.error(500, #"{"error":{"status":"INTERNAL"}}"#) },
            { _ in FakeGoogle.error(501, "") },
            { _ in FakeGoogle.error(502, "<html>") },
            { _ in FakeGoogle.error(502, "", retryAfter: "1") },
            { _ in FakeGoogle.error(503, "<html>") },
            { _ in FakeGoogle.error(503, "", retryAfter: "1") },
            { _ in FakeGoogle.error(504, "") },
            { _ in FakeGoogle.error(599, "") },
            { _ in FakeGoogle.error(429, #"{"error":{"status":"RESOURCE_EXHAUSTED"}}"#, retryAfter: "2") },
        ] as [FakeGoogle.Misbehaviour]
    )
    func `A transient failure is retried`(misbehaviour: @escaping FakeGoogle.Misbehaviour) async throws {
        let scene = try Scene()
        scene.google.next(.signJWT, misbehaviour, misbehaviour)
        _ = try await scene.mint()
        #expect(scene.google.count(.signJWT) == 3)
        #expect(scene.waits.count == 2)
    }

    @Test(arguments: [FakeGoogle.Endpoint.metadata, .signJWT, .keys])
    func `A retry waits for as long as Google asks`(endpoint: FakeGoogle.Endpoint) async throws {
        let scene = try Scene()
        scene.google.next(endpoint) { _ in
            OutgoingResponse(
                status: 429,
                headers: ["metadata-flavor": "Google", "retry-after": "3"],
                body: Secret("")
            )
        }
        _ = try await scene.mint()
        #expect(try #require(scene.waits.first) >= 3)
    }

    @Test
    func `After three attempts signing fails`() async throws {
        let scene = try Scene()
        scene.google.always(.signJWT) { _ in throw OutgoingError.failed("reset") }
        let error = try #require(try await scene.failure())
        #expect(error.description.hasPrefix("No response from iamcredentials.googleapis.com (reset)"))
        #expect(scene.google.count(.signJWT) == 3)
    }

    @Test
    func `A pause longer than the time limit is an immediate error, and no request is sent meanwhile`() async throws {
        let scene = try Scene()
        scene.google.next(.signJWT) { _ in FakeGoogle.error(503, "", retryAfter: "20") }
        let error = try #require(try await scene.failure())
        #expect(error.retrySeconds == 20)
        scene.clock.advance(by: 5)
        #expect(try #require(try await scene.failure()).retrySeconds == 15)
        #expect(scene.google.count(.signJWT) == 1)
        #expect(scene.waits == [])
        scene.clock.advance(by: 15)
        _ = try await scene.mint()
    }

    @Test(arguments: [("19.5", 20), ("Sun, 06 Nov 1994 08:49:57 GMT", 20), ("301.5", 300)], [500, 502, 503])
    func `A Retry-After counts, up to 300 seconds`(_ field: (retryAfter: String, seconds: Int), status: Int)
        async throws
    {
        let (retryAfter, seconds) = field
        let scene = try Scene()
        scene.google.next(.signJWT) { _ in
            FakeGoogle.error(status, "", retryAfter: retryAfter, date: "Sun, 06 Nov 1994 08:49:37 GMT")
        }
        #expect(try #require(try await scene.failure()).retrySeconds == seconds)
        #expect(scene.google.count(.signJWT) == 1)
    }

    @Test
    func `An invalid Retry-After counts as none`() async throws {
        let scene = try Scene()
        scene.google.next(.signJWT) { _ in FakeGoogle.error(503, "", retryAfter: "soon") }
        _ = try await scene.mint()
        #expect(try #require(scene.waits.first) < 1)
    }

    // MARK: What is not

    @Test(
        arguments: [302, 400, 402, 403, 404, 405, 409, 413, 418, 499, 600, 201, 204]
    )
    func `A permanent failure is not retried`(status: Int) async throws {
        let scene = try Scene()
        scene.google.always(.signJWT) { _ in FakeGoogle.error(status, "{}", retryAfter: "1") }
        #expect(try await scene.failure() != nil)
        #expect(scene.google.count(.signJWT) == 1)
        #expect(scene.waits == [])
    }

    @Test
    func `An account that is refused costs others no access token`() async throws {
        let scene = try Scene()
        _ = try await scene.mint()
        let other = scene.signer()
        scene.google.always(.signJWT) { _ in FakeGoogle.error(401, "{}") }
        let (fetched, start) = (scene.google.count(.metadata), scene.clock.now)
        for _ in 0..<20 {
            for _ in 0..<5 {
                await #expect(throws: IAMError.self) { try await other.sign(payload: []) }
            }
            scene.clock.advance(by: 1)
        }
        let seconds = Int(scene.clock.now - start)
        let interval = Int(GoogleClient.tokenRefetchInterval / .seconds(1))
        #expect(scene.google.count(.metadata) - fetched <= seconds / interval + 1)
        #expect(scene.google.count(.signJWT) <= 1 + 2 * (seconds + 1))
        // Nothing can be fetched any more, and nothing has to be.
        scene.google.behave()
        scene.google.always(.metadata) { _ in throw OutgoingError.failed("down") }
        _ = try await scene.mint()
        _ = try await Accounts.minter(other).mint(try KindSample.driver.scope(), now: scene.clock.now)
    }

    @Test
    func `The new access token of a refused account stays in use, as valid as the one before`() async throws {
        let scene = try Scene()
        _ = try await scene.mint()
        scene.clock.advance(by: GoogleClient.tokenRefetchInterval / .seconds(1))
        let bearers = Mutex<[Secret?]>([])
        let refuse: Misbehaviour = { request in
            bearers.withLock { $0.append(request.bearer) }
            return FakeGoogle.error(401, "{}")
        }
        let google = scene.google
        google.next(
            .signJWT,
            refuse,
            refuse,
            { request in
                bearers.withLock { $0.append(request.bearer) }
                return try google.signed(request)
            }
        )
        #expect(try await scene.failure() != nil)
        scene.clock.advance(by: 1)
        _ = try await scene.mint()
        let used = bearers.withLock { $0 }
        try #require(used.count == 3)
        #expect(used[0] != used[1], "a new one was tried")
        #expect(used[2] == used[1])
    }

    @Test(
        arguments: [("30", "20"), ("20", "30")]
    )
    func `A shorter pause does not shorten a longer one, and a longer one extends it`(first: String, second: String)
        async throws
    {
        let scene = try Scene()
        let (opened, open) = AsyncStream<Void>.makeStream()
        let (arrivals, arrival) = AsyncStream<Void>.makeStream()
        // Both are sent before the first pause begins.
        scene.google.next(
            .signJWT,
            { _ in
                arrival.yield()
                for await _ in opened {}
                return FakeGoogle.error(503, "", retryAfter: second)
            },
            { _ in FakeGoogle.error(503, "", retryAfter: first) }
        )
        async let late = scene.failure()
        _ = await arrivals.first { true }
        #expect(try await scene.failure()?.retrySeconds == Int(first))
        open.finish()
        #expect(try await late?.retrySeconds == Int(second))
        #expect(try await scene.failure()?.retrySeconds == 30)
        #expect(scene.google.count(.signJWT) == 2)
    }

    @Test(arguments: [403, 404])
    func `An error that only an operator can fix is retried once a second`(status: Int) async throws {
        let scene = try Scene()
        scene.google.always(.signJWT) { _ in FakeGoogle.error(status, "{}") }
        for _ in 0..<5 {
            let error = try #require(try await scene.failure())
            // Callers need not return before an operator can have mended it.
            #expect(error.retrySeconds == 30)
        }
        #expect(scene.google.count(.signJWT) == 1)
        scene.google.behave()
        scene.clock.advance(by: 1)
        _ = try await scene.mint()
    }

    @Test
    func `The same access token again is not tried again`() async throws {
        let scene = try Scene()
        let token: Misbehaviour = { _ in
            OutgoingResponse(
                status: 200,
                headers: ["metadata-flavor": "Google"],
                body: Secret(#"{"access_token":"kept","expires_in":300,"token_type":"Bearer"}"#)
            )
        }
        scene.google.next(.metadata, token, token)
        // A token that was just fetched is not fetched again.
        #expect(try #require(try await scene.failure()).description.contains("access token"))
        #expect(scene.google.requests == [.metadata, .signJWT])
        scene.clock.advance(by: GoogleClient.tokenRefetchInterval / .seconds(1))
        #expect(try #require(try await scene.failure()).description.contains("access token"))
        #expect(scene.google.requests == [.metadata, .signJWT, .signJWT, .metadata])
    }

    @Test
    func `A signature whose time is over ends while Google hangs, and the fetch goes on for the next`() async throws {
        let scene = try Scene()
        let (answers, answer) = AsyncStream<OutgoingResponse>.makeStream()
        scene.google.next(.metadata) { _ in
            for await response in answers { return response }
            throw OutgoingError.failed("cancelled")
        }
        async let failure = scene.failure()
        // The signature's time, and that of the fetch.
        try await scene.clock.waitForSleepers(2)
        scene.clock.advance(by: Scene.limit)
        #expect(try await failure?.description.contains("timed out after") == true)
        #expect(scene.client.accessTokens.isFetching)
        async let token = scene.mint()
        try await scene.clock.waitForSleepers(2)
        answer.yield(scene.google.accessToken())
        _ = try await token
        #expect(scene.google.count(.metadata) == 1)
    }

    @Test
    func `A cancelled caller ends the request`() async throws {
        let scene = try Scene()
        let (arrivals, arrival) = AsyncStream<Void>.makeStream()
        scene.google.always(.signJWT) { _ in
            arrival.yield()
            try await Task.sleep(for: .seconds(86_400))
            throw OutgoingError.failed("late")
        }
        let task = Task { try await scene.mint() }
        _ = await arrivals.first { true }
        task.cancel()
        await #expect(throws: (any Error).self) { try await task.value }
    }

    // MARK: What operators read

    @Test(
        arguments: [
            (400, "INVALID_ARGUMENT", "clock"), (401, "UNAUTHENTICATED", "access token"),
            (403, "SERVICE_DISABLED", "gcloud services enable iamcredentials.googleapis.com"),
            (403, "IAM_PERMISSION_DENIED", "/roles/tokendSigner"),
            (403, "ACCESS_TOKEN_SCOPE_INSUFFICIENT", "cloud-platform"),
            (404, "NOT_FOUND", "Check the address"), (429, "RATE_LIMIT_EXCEEDED", "quota"), (500, "INTERNAL", "500"),
        ]
    )
    func `The error says what to do, and nothing that Google wrote`(status: Int, reason: String, fix: String)
        async throws
    {
        let scene = try Scene()
        let body = """
            {"error":{"code":\(status),"message":"Secret words eyJhbGciOi","status":"S",\
            "details":[{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"\(reason)"}]}}
            """
        scene.google.always(.signJWT) { _ in FakeGoogle.error(status, body) }
        let error = try #require(try await scene.failure())
        #expect(error.description.contains(fix))
        #expect(error.description.contains(reason))
        #expect(!error.description.contains("eyJ"))
        #expect(error.retrySeconds >= 1)
    }

    @Test
    func `Names of errors that are invalid are left out`() async throws {
        let scene = try Scene()
        let long = String(repeating: "A", count: 65)
        let body =
            #"{"error":{"status":"\u001b[2J","details":[{"reason":"a b"},{"reason":7},[],{"reason":"\#(long)"}]}}"#
        scene.google.always(.signJWT) { _ in FakeGoogle.error(403, body) }
        #expect(
            try #require(try await scene.failure()).description.hasPrefix("Google returned status 403 for signJwt for")
        )
    }

    @Test
    func `Outside Google Cloud the error names the setting`() async throws {
        for answer in [
            { _ in throw OutgoingError.failed("no such host") },
            { _ in FakeGoogle.error(200, "a router's page") },
        ] as [Misbehaviour] {
            let scene = try Scene()
            scene.google.always(.metadata, answer)
            let error = try #require(try await scene.failure())
            #expect(error.description.contains("set credentials to a service account's key file"))
            #expect(scene.google.count(.signJWT) == 0)
        }
    }

    @Test
    func `A key file that Google does not know is named`() async throws {
        let scene = try Scene(caller: try Accounts.second())
        scene.google.always(.oauth) { _ in
            FakeGoogle.error(400, #"{"error":"invalid_grant","error_description":"eyJ Invalid JWT"}"#)
        }
        let error = try #require(try await scene.failure())
        #expect(error.description.contains("deleted or disabled"))
        #expect(error.description.contains("key-2"))
        #expect(!error.description.contains("eyJ"))
        #expect(scene.google.count(.oauth) == 1)
    }

    // MARK: Malformed responses

    /// Answers that cannot be read, by what they answer.
    private static let malformed: [(FakeGoogle.Endpoint, [String])] = [
        (
            .metadata,
            [
                #"{"access_token":"t","expires_in":3600}"#,
                #"{"access_token":"t","expires_in":3600,"token_type":"MAC"}"#,
                #"{"access_token":"t","expires_in":"3600","token_type":"Bearer"}"#,
                #"{"access_token":"t","expires_in":0,"token_type":"Bearer"}"#,
                #"{"access_token":"t","expires_in":-1,"token_type":"Bearer"}"#,
                #"{"access_token":"t","expires_in":1e9,"token_type":"Bearer"}"#,
                #"{"access_token":"","expires_in":3600,"token_type":"Bearer"}"#,
                #"{"access_token":"t\r\nX: y","expires_in":3600,"token_type":"Bearer"}"#,
                #"{"access_token":"t","access_token":"u","expires_in":3600,"token_type":"Bearer"}"#,
                #"{"access_token":"t","expires_in":3600,"token_type":"Bearer""#, "", "null", "[]",
            ]
        ),
        (
            .signJWT,
            [
                "", "{}", "null", "[]", #"{"keyId":"google-0"}"#, #"{"signedJwt":"eyJ"}"#,
                #"{"keyId":7,"signedJwt":"eyJ"}"#, #"{"keyId":"","signedJwt":"eyJ"}"#,
                #"{"keyId":"a b","signedJwt":"eyJ"}"#,
                #"{"keyId":"google-0","keyId":"google-0","signedJwt":"eyJ"}"#,
                #"{"keyId":"google-0","signedJwt":"eyJ"#, #"{"keyId":"google-0","signedJwt":null}"#, "\u{FEFF}{}",
                #"{"keyId":"google-0","signedJwt":"e"}x"#,
            ]
        ),
        (
            .keys,
            [
                "", "{}", #"{"keys":{}}"#,
                #"{"keys":[{"kty":"RSA","alg":"RS256","n":"AQ","e":"AQAB","kid":"google-0"}]}"#,
            ]
        ),
    ]

    @Test(arguments: malformed)
    func `A malformed answer of any of Google's servers gives no token`(endpoint: FakeGoogle.Endpoint, bodies: [String])
        async throws
    {
        for body in bodies {
            let scene = try Scene()
            scene.google.always(endpoint) { _ in
                OutgoingResponse(status: 200, headers: ["metadata-flavor": "Google"], body: Secret(body))
            }
            let error = try #require(try await scene.failure(), "\(body)")
            #expect(["malformed", "invalid", "unusable"].contains { error.description.contains($0) }, "\(error)")
            #expect(scene.google.count(.signJWT) == (endpoint == .metadata ? 0 : 1))
        }
    }

    @Test
    func `A signature that is too large is not read, nor requested again`() async throws {
        let scene = try Scene()
        scene.google.always(.signJWT) { _ in throw OutgoingError.tooLarge }
        #expect(try #require(try await scene.failure()).description.contains("too large"))
        #expect(scene.google.count(.signJWT) == 1)
    }
}
