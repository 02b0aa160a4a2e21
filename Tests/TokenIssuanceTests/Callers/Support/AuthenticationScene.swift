import FleetToken
import HTTPTypes
import JOSE
import Logging
import TestSupport

@testable import ServiceSupport
@testable import TokenIssuance

/// All that a test of authentication needs: an issuer, a clock, a log, and an authenticator that trusts the issuer.
struct AuthenticationScene: Sendable {
    let issuer: FakeIssuer
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

    /// Creates a scene with two callers: `app`, for which the issuer vouches, and `backend` with an API key.
    init() throws {
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        let keys = try folder.write(TestAPIKey.line.utf8, to: "keys")
        try self.init(callers: [
            CallerConfiguration(name: "app", method: .jwt(Self.configuration), rateLimit: .perUser),
            CallerConfiguration(name: "backend", method: .apiKeys(file: keys), rateLimit: .perClient),
        ])
    }

    /// Creates a scene with one caller, `app`, whose configuration has changes.
    init(changing change: (inout JWTIssuerConfiguration) -> Void) throws {
        var configuration = Self.configuration
        change(&configuration)
        try self.init(callers: [CallerConfiguration(name: "app", method: .jwt(configuration), rateLimit: .perUser)])
    }

    /// Creates a scene with these callers.
    init(callers: [CallerConfiguration]) throws {
        issuer = try FakeIssuer()
        clock = TestClock()
        log = RecordedLog()
        fetching = KeySetFetching(http: issuer, clock: clock.service, logger: log.logger)
        authenticator = try CallerAuthenticator(
            callers: callers,
            ownAccounts: [Self.ownAccount],
            fetching: fetching,
            clock: clock.service
        )
    }

    /// The configuration of the issuer's tokens.
    static var configuration: JWTIssuerConfiguration {
        JWTIssuerConfiguration(
            issuer: issuerName,
            audiences: [audience],
            algorithms: JWSAlgorithm.usual,
            keys: .url(KeySetURL(known: FakeIssuer.url))
        )
    }
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
