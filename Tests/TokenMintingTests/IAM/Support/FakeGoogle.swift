import FleetToken
import JOSE
import ServiceSupport
import Synchronization
import TestSupport
import TokenMinting

/// Google's endpoints, as strict about what they are sent as Google documents, and as wrong in their answers as a test
/// wants.
final class FakeGoogle: Sendable {
    static let account = "driver@my-project.iam.gserviceaccount.com"

    enum Endpoint: Hashable {
        case metadata, oauth, signJWT, keys
    }

    /// What is done in place of answering properly.
    typealias Misbehaviour = @Sendable (OutgoingRequest) async throws -> OutgoingResponse

    private struct State {
        var requests: [Endpoint] = []
        var complaints: [String] = []
        var misbehaviours: [Endpoint: [Misbehaviour]] = [:]
        var tokens: [Secret: NumericDate] = [:]
        var signingKey = 0
        var publishedKeys = [0]
        var tokenCount = 0
    }

    /// Its keys, none of which signs for an account of the tests.
    private static func key(_ number: Int) throws -> RSAPrivateKey { try TestKeys.rsa(2 + number) }

    private let state = Mutex(State())
    private let clock: TestClock
    /// Whose assertions the OAuth server takes.
    private let caller: ServiceAccount?

    init(clock: TestClock, caller: ServiceAccount? = nil) {
        self.clock = clock
        self.caller = caller
    }

    // MARK: What tests do and see

    /// Sends requests to it.
    var http: FakeHTTP { FakeHTTP { try await self.respond(to: $0) } }
    /// What it was asked for, in order.
    var requests: [Endpoint] { state.withLock { $0.requests } }
    /// What was wrong with it.
    var complaints: [String] { state.withLock { $0.complaints } }
    /// The access tokens that it handed out.
    var tokens: [Secret] { state.withLock { Array($0.tokens.keys) } }

    func count(_ endpoint: Endpoint) -> Int { requests.count { $0 == endpoint } }

    /// Makes the next answers of an endpoint others.
    func next(_ endpoint: Endpoint, _ misbehaviours: Misbehaviour...) {
        state.withLock { $0.misbehaviours[endpoint, default: []] += misbehaviours }
    }

    /// Makes all answers of an endpoint others.
    func always(_ endpoint: Endpoint, _ misbehaviour: @escaping Misbehaviour) {
        state.withLock { $0.misbehaviours[endpoint] = Array(repeating: misbehaviour, count: 1000) }
    }

    /// Lets it answer properly again.
    func behave() {
        state.withLock { $0.misbehaviours = [:] }
    }

    /// No token is valid any more.
    func revokeTokens() {
        state.withLock { $0.tokens = $0.tokens.mapValues { _ in NumericDate(seconds: 0) } }
    }

    /// Signs with another key from now on.
    func rotate(to key: Int, isPublished: Bool = true) {
        state.withLock { state in
            state.signingKey = key
            if isPublished { state.publishedKeys.append(key) }
        }
    }

    /// The token that is properly signed.
    func signed(_ request: OutgoingRequest) throws -> OutgoingResponse {
        let number = state.withLock { $0.signingKey }
        let asked = try JSONParser.parseObject(request.body?.reveal() ?? [])["payload"]?.stringValue ?? ""
        let header = #"{"alg":"RS256","kid":"google-\#(number)","typ":"JWT"}"#
        let input = Base64URL.encode(header.utf8) + Array(".".utf8) + Base64URL.encode(asked.utf8)
        let token = CompactJWS.token(input, signature: try Self.key(number).signature(for: input))
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("keyId", "google-\(number)")
            writer.member("signedJwt", utf8: token)
        }
        return OutgoingResponse(status: 200, body: Secret(writer.bytes))
    }

    /// Its public keys.
    func keySet() throws -> [UInt8] {
        var set = JWKSet()
        for number in state.withLock({ $0.publishedKeys }) {
            try set.insert(JWK(Self.key(number).publicKey, keyID: "google-\(number)"))
        }
        return set.encoded()
    }

    // MARK: What it does

    private func respond(to request: OutgoingRequest) async throws -> OutgoingResponse {
        let endpoint = endpoint(of: request)
        let misbehaviour = state.withLock { state -> Misbehaviour? in
            state.requests.append(endpoint)
            guard state.misbehaviours[endpoint]?.isEmpty == false else { return nil }
            return state.misbehaviours[endpoint]?.removeFirst()
        }
        if let misbehaviour { return try await misbehaviour(request) }
        return switch endpoint {
        case .metadata: metadata(request)
        case .oauth: try oauth(request)
        case .signJWT: try signJWT(request)
        case .keys: OutgoingResponse(status: 200, body: Secret(try keySet()))
        }
    }

    private func endpoint(of request: OutgoingRequest) -> Endpoint {
        switch (request.method, request.url) {
        case (.get, "http://metadata.google.internal/computeMetadata/v1/instance/service-accounts/default/token"):
            return .metadata
        case (.post, "https://oauth2.googleapis.com/token"): return .oauth
        case (.post, "https://iamcredentials.googleapis.com/v1/projects/-/serviceAccounts/\(Self.account):signJwt"):
            return .signJWT
        case (.get, "https://www.googleapis.com/service_accounts/v1/jwk/\(Self.account)"): return .keys
        default:
            complain("there is nothing at \(request.method) \(request.url)")
            return .keys
        }
    }

    private func complain(_ what: String) {
        state.withLock { $0.complaints.append(what) }
    }

    private func metadata(_ request: OutgoingRequest) -> OutgoingResponse {
        if !request.headers.contains(where: { $0 == ("Metadata-Flavor", "Google") }) { complain("no flavor") }
        if request.bearer != nil || request.body != nil { complain("the metadata server is told too much") }
        return accessToken()
    }

    /// What the metadata server answers.
    func accessToken() -> OutgoingResponse { newToken(headers: ["metadata-flavor": "Google"]) }

    private func oauth(_ request: OutgoingRequest) throws -> OutgoingResponse {
        let prefix = "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer&assertion="
        let body = request.body?.revealText() ?? ""
        guard let caller, body.hasPrefix(prefix),
            request.headers.contains(where: { $0 == ("Content-Type", "application/x-www-form-urlencoded") }),
            let jws = try? CompactJWS(parsing: Array(body.dropFirst(prefix.count).utf8)),
            (try? jws.verify(with: caller.key.publicKey)) != nil, jws.header.keyID == caller.keyID
        else {
            complain("this is not a grant")
            return Self.error(400, #"{"error":"invalid_grant","error_description":"Invalid JWT Signature."}"#)
        }
        let claims = try JSONParser.parseObject(jws.payload)
        // A server's clock may be a little behind.
        let now = clock.now - 10
        guard let issued = claims["iat"]?.integerValue, let expires = claims["exp"]?.integerValue,
            claims["iss"]?.stringValue == caller.email,
            claims["aud"]?.stringValue == "https://oauth2.googleapis.com/token",
            claims["scope"]?.stringValue == "https://www.googleapis.com/auth/iam",
            issued <= now.seconds, expires > now.seconds, expires - issued <= 3600
        else {
            complain("the assertion's claims are wrong")
            return Self.error(400, #"{"error":"invalid_grant"}"#)
        }
        return newToken()
    }

    private func newToken(headers: [String: String] = [:]) -> OutgoingResponse {
        let token = state.withLock { state in
            state.tokenCount += 1
            let token = "ya29.token-\(state.tokenCount)-secret"
            state.tokens[Secret(token)] = clock.now + 3600
            return token
        }
        let body = #"{"access_token":"\#(token)","expires_in":3600,"token_type":"Bearer"}"#
        return OutgoingResponse(status: 200, headers: headers, body: Secret(body))
    }

    private func signJWT(_ request: OutgoingRequest) throws -> OutgoingResponse {
        guard let bearer = request.bearer, let expiry = state.withLock({ $0.tokens[bearer] }), expiry > clock.now else {
            return Self.error(401, #"{"error":{"code":401,"message":"m","status":"UNAUTHENTICATED"}}"#)
        }
        let body = try? JSONParser.parseObject(request.body?.reveal() ?? [])
        guard let body, body.names == ["payload"], let payload = body["payload"]?.stringValue,
            request.headers.contains(where: { $0 == ("Content-Type", "application/json") }),
            let claims = try? JSONParser.parseObject(Array(payload.utf8)), let exp = claims["exp"]?.integerValue,
            exp > clock.now.seconds, exp <= clock.now.seconds + 12 * 3600
        else {
            complain("the body is not one for signJwt")
            return Self.error(400, #"{"error":{"code":400,"message":"m","status":"INVALID_ARGUMENT"}}"#)
        }
        return try signed(request)
    }

    static func error(
        _ status: Int,
        _ body: String,
        retryAfter: String? = nil,
        date: String? = nil
    ) -> OutgoingResponse {
        let headers = ["retry-after": retryAfter, "date": date].compactMapValues { $0 }
        return OutgoingResponse(status: status, headers: headers, body: Secret(body))
    }
}
