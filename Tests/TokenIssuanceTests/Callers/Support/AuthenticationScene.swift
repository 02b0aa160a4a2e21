import AsyncHTTPClient
import FleetToken
import HTTPTypes
import JOSE
import Logging
import Synchronization
import TestSupport
import Testing

@testable import ServiceSupport
@testable import TokenIssuance

/// All that a test of authentication needs: an issuer on loopback, a clock, a log, and an authenticator that trusts the
/// issuer.
struct AuthenticationScene: Sendable {
    let issuer: TestIssuer
    let clock: TestClock
    let log: RecordedLog
    let fetching: KeySetFetching
    let authenticator: CallerAuthenticator

    /// The issuer's `iss`.
    static let issuerName = "https://issuer.test/tenant"
    /// Our `aud`.
    static let audience = "fleet-token"
    /// The account that signs what is minted here.
    static let ownAccount = "signer@project.iam.gserviceaccount.com"

    /// The URL of an issuer's keys, which the scene's requests reach on loopback: the service fetches keys by https only.
    static func url(of issuer: TestIssuer) -> String { "\(keys):\(issuer.port)/keys" }

    fileprivate static let keys = "https://keys.test"

    /// The configuration of the issuer's tokens.
    static func configuration(
        of issuer: TestIssuer,
        algorithms: [JWSAlgorithm] = JWSAlgorithm.usual
    ) -> JWTIssuerConfiguration {
        JWTIssuerConfiguration(
            issuer: issuerName,
            audiences: [audience],
            algorithms: algorithms,
            keys: .url(url(of: issuer))
        )
    }

    /// Runs a scene with callers of the test's, or with one for each method: `app`, for which the issuer vouches,
    /// and `backend`.
    static func run(
        algorithms: [JWSAlgorithm] = JWSAlgorithm.usual,
        callers: (@Sendable (TestIssuer) -> [CallerConfiguration])? = nil,
        _ body: @escaping @Sendable (AuthenticationScene) async throws -> Void
    ) async throws {
        try await TestIssuer.run { issuer in
            let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: .outgoing)
            let jwt = configuration(of: issuer, algorithms: algorithms)
            let folder = try TemporaryFolder()
            defer { withExtendedLifetime(folder) {} }
            let keys = try folder.write(TestAPIKey.line.utf8, to: "keys")
            let defaults = [
                CallerConfiguration(name: "app", method: .jwt(jwt), rateLimit: .perUser),
                CallerConfiguration(name: "backend", method: .apiKeys(file: keys), rateLimit: .perClient),
            ]
            do {
                let scene = try AuthenticationScene(issuer, client, callers: callers?(issuer) ?? defaults)
                try await withTaskCancellationHandler {
                    try await body(scene)
                } onCancel: {
                    // The test timed out: what waits for the issuer ends, and so does the test.
                    scene.clock.advance(by: 3600)
                }
            } catch {
                try await client.shutdown()
                throw error
            }
            try await client.shutdown()
        }
    }

    /// Runs a scene whose one caller, `app`, has a configuration with changes.
    static func runApp(
        changing change: @escaping @Sendable (inout JWTIssuerConfiguration) -> Void,
        _ body: @escaping @Sendable (AuthenticationScene) async throws -> Void
    ) async throws {
        try await run { issuer in
            var configuration = configuration(of: issuer)
            change(&configuration)
            return [CallerConfiguration(name: "app", method: .jwt(configuration), rateLimit: .perUser)]
        } _: {
            try await body($0)
        }
    }

    /// The scene of the test that runs, in a suite with the trait `authenticationScene`.
    static var ofTest: AuthenticationScene {
        guard let scene = SceneTrait.scene else { preconditionFailure("The suite lacks .authenticationScene.") }
        return scene
    }

    private init(_ issuer: TestIssuer, _ client: HTTPClient, callers: [CallerConfiguration]) throws {
        self.issuer = issuer
        clock = TestClock()
        log = RecordedLog()
        fetching = KeySetFetching(
            http: LoopbackHTTP(client: OutgoingClient(client, clock: .system)),
            clock: clock.service,
            logger: log.logger
        )
        authenticator = try CallerAuthenticator(
            callers: callers,
            ownAccounts: [Self.ownAccount],
            fetching: fetching,
            clock: clock.service
        )
    }
}

/// Sends requests for the scene's issuers to loopback.
private struct LoopbackHTTP: OutgoingHTTP {
    let client: OutgoingClient

    func send(_ request: OutgoingRequest) async throws(OutgoingError) -> OutgoingResponse {
        let url = request.url.replacing(AuthenticationScene.keys, with: "http://127.0.0.1")
        var local = OutgoingRequest(request.method, url)
        (local.headers, local.maximumSize) = (request.headers, request.maximumSize)
        return try await client.send(local)
    }
}

/// A trait that runs a scene around each test.
struct SceneTrait: SuiteTrait, TestTrait, TestScoping {
    @TaskLocal fileprivate static var scene: AuthenticationScene?

    let isRecursive = true

    func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing body: @Sendable () async throws -> Void
    ) async throws {
        try await withoutActuallyEscaping(body) { body in
            try await AuthenticationScene.run { scene in
                try await Self.$scene.withValue(scene) { try await body() }
            }
        }
    }
}

extension Trait where Self == SceneTrait {
    /// A trait that gives each test a scene of its own, `AuthenticationScene.ofTest`.
    static var authenticationScene: Self { SceneTrait() }
}

// MARK: - Tokens

/// What goes into a token.
struct TokenRecipe {
    var header: [String: JSONValue]
    var claims: [String: JSONValue]
}

extension AuthenticationScene {
    /// A token of the issuer's that is good, unless the closure spoils it.
    func token(
        _ algorithm: JWSAlgorithm = .es256,
        signedBy key: SigningKey? = nil,
        _ change: (inout TokenRecipe) -> Void = { _ in }
    ) throws -> String {
        let key = try key ?? SigningKey.shared(algorithm)
        var recipe = TokenRecipe(
            header: ["alg": .string(key.algorithm.rawValue), "typ": .string("JWT"), "kid": .string(key.id)],
            claims: [
                "iss": .string(Self.issuerName), "sub": .string("user-1"), "aud": .string(Self.audience),
                "iat": .integer(clock.now.seconds - 10), "exp": .integer(clock.now.seconds + 3600),
            ]
        )
        change(&recipe)
        return try key.token(header: recipe.header.json, payload: recipe.claims.json)
    }
}

// MARK: - Requests

/// What became of a request.
struct AuthenticationOutcome: Sendable {
    let caller: Caller?
    let error: TokenError?
    /// What the log says of it.
    let reason: String?

    /// Whether the caller was told no more than that its credentials are no good, and the log why.
    func isRefused(_ code: AuthenticationFailure.Code) -> Bool {
        caller == nil && error == AuthenticationFailure(code).refusal && error?.reason == .invalidCredentials
            && reason == code.rawValue
    }
}

extension AuthenticationScene {
    /// Sends a request with a bearer token.
    func present(
        _ token: String,
        address: String = "192.0.2.1"
    ) async -> AuthenticationOutcome {
        await send([.authorization: "Bearer \(token)"], address: address)
    }

    /// Why a token is refused that comes byte by byte, past what HTTP does to a field; nil when it is taken.
    func refusal(of token: String) async -> AuthenticationFailure.Code? {
        do throws(AuthenticationFailure) {
            _ = try await authenticator.jwts.caller(bearing: Array(token.utf8))
            return nil
        } catch {
            return error.code
        }
    }

    /// Sends a request.
    func send(
        _ fields: HTTPFields,
        address: String = "192.0.2.1"
    ) async -> AuthenticationOutcome {
        let call = IncomingCall(
            HTTPRequest(
                method: .get,
                scheme: "https",
                authority: "fleet.test",
                path: "/token/consumer/trip-1",
                headerFields: fields
            ),
            at: clock.monotonic,
            from: address
        )
        do {
            let caller = try await authenticator.caller(of: call)
            return AuthenticationOutcome(caller: caller, error: nil, reason: nil)
        } catch {
            // As the access log has it.
            log.logger.info("request", metadata: error.metadata)
            return AuthenticationOutcome(caller: nil, error: error.refusal, reason: error.code.rawValue)
        }
    }
}
