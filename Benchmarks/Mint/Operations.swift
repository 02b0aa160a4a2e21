import FleetToken
import HTTPTypes
import JOSE
import Logging
import StrictCoding
import TokenMinting

@testable import ServiceSupport
@testable import ServiceTools
@testable import TokenIssuance
@testable import TokenService

/// Something to measure: it does what it does for each number of a range.
struct Operation: Sendable {
    let name: String
    let run: @Sendable (Range<Int>) async throws -> Void
}

/// The steps of a request's way, each alone, and all together.
struct Operations: Sendable {
    private let account: ServiceAccount
    private let minter: TokenMinter
    private let apiKeys: APIKeyAuthenticator
    private let authorizer: GrantAuthorizer
    private let trail: AuditTrail
    /// Signs each token.
    private let issuance: IssuancePipeline
    /// Hands tokens out again.
    private let reusing: IssuancePipeline
    private let key: String
    private let now = NumericDate(seconds: 1_795_211_520)

    init(folder: String, keys: String) throws {
        account = try DevelopmentKeys(directory: keys).account(for: .driver)
        minter = TokenMinter(signers: [.driver: LocalSigner(account)])
        let logger = Logger(label: "benchmark", factory: { _ in SwiftLogNoOpLogHandler() })
        let clock = ServiceClock.system
        var random = SystemRandomNumberGenerator()
        let apiKey = try NewAPIKey(label: "benchmark", notAfter: nil, using: &random)
        key = apiKey.key.revealText()
        let records = [try APIKeyRecord(parsing: Array(apiKey.line.utf8)[...])]
        apiKeys = try APIKeyAuthenticator([.init(name: "backend", isApp: false, records: records)], clock: clock)
        authorizer = GrantAuthorizer(
            grants: [.init(name: "backend-any", callers: ["backend"], kinds: [.driver], ids: .any)],
            privilegedKinds: [],
            alphabet: .ascii,
            webhooks: [:],
            logger: logger
        )
        let registry = PrometheusRegistry()
        let metrics = ServiceMetrics(registry: registry, version: "benchmark")
        let file = try AuditFile(path: "\(folder)/audit.jsonl")
        trail = try AuditTrail(
            sink: MeasuredAuditSink(file, label: .file, metrics: metrics.issuance.audit),
            ids: .plain
        )
        let callers = CallerMetrics(registry: registry, clock: clock)
        callers.add([.init(name: "backend", method: .apiKeys(file: ""), isApp: false)])
        let queue = SigningQueue(threads: 1, metrics: metrics.issuance.signing, logger: logger, clock: clock)
        let queued = TokenMinter(signers: [.driver: LocalSigner(account, queue: queue)])
        let authenticator = CallerAuthenticator(
            tokens: JWTAuthenticator(issuers: [], ownAccounts: [], clock: clock),
            apiKeys: apiKeys,
            certificates: try CertificateAuthenticator([]),
            metrics: callers
        )
        let issuance = { [authorizer, trail] (reuseSeconds: Int) in
            IssuancePipeline(
                authenticator: authenticator,
                limits: CallerLimits(
                    callers: RateLimit(RateLimiter(.init(perMinute: 10_000_000, burst: 1_000_000))),
                    addresses: nil,
                    metrics: metrics.issuance.limits,
                    clock: clock
                ),
                authorizer: authorizer,
                minter: ReusingMinter(queued, seconds: reuseSeconds, clock: clock),
                audit: trail,
                metrics: metrics.issuance,
                clock: clock,
                logger: logger
            )
        }
        self.issuance = issuance(0)
        reusing = issuance(240)
    }

    var all: [Operation] {
        get throws {
            let payload = FleetClaims(issuer: account.email, scope: try scope(0), lifetime: .default, now: now)
                .encoded()
            let header = JWSHeader(keyID: account.keyID)
            let caller = try apiKeys.caller(presenting: key)
            let token = AuditRecord.Token(
                keyID: account.keyID,
                expiresAt: now,
                sha256: SHA256Digest(of: payload),
                isReused: false
            )
            let signed = Secret(try CompactJWS.sign(payload: payload, header: header, with: account.key))
            let scope = try scope(0)
            let call = call()
            return [
                Operation(name: "scope") { for index in $0 { use(try self.scope(index)) } },
                Operation(name: "claims") {
                    for _ in $0 {
                        use(FleetClaims(issuer: account.email, scope: scope, lifetime: .default, now: now).encoded())
                    }
                },
                Operation(name: "jws") {
                    for _ in $0 { use(Base64URL.encode(header.encoded()), Base64URL.encode(payload)) }
                },
                Operation(name: "sign") {
                    for _ in $0 { use(try CompactJWS.sign(payload: payload, header: header, with: account.key)) }
                },
                Operation(name: "mint") { for _ in $0 { use(try await minter.mint(scope, now: now)) } },
                Operation(name: "caller") { for _ in $0 { use(try apiKeys.caller(presenting: key)) } },
                Operation(name: "grant") {
                    for _ in $0 {
                        use(try await authorizer.authorize(caller, for: scope, requestID: call.id.description))
                    }
                },
                Operation(name: "audit") {
                    for _ in $0 { try await trail.append(self.record(caller, scope, token)) }
                },
                Operation(name: "answer") {
                    for _ in $0 {
                        use(TokenResponse(token: signed, issuedAt: now, expiresAt: now + 3540, now: now).encoded())
                    }
                },
                Operation(name: "issue") { for index in $0 { use(try await answer(index, call, by: issuance)) } },
                Operation(name: "reuse") { for _ in $0 { use(try await answer(0, call, by: reusing)) } },
            ]
        }
    }

    /// The whole way from the request for a vehicle's token to the answer.
    private func answer(_ index: Int, _ call: IncomingCall, by issuance: IssuancePipeline) async throws -> [UInt8] {
        switch await issuance.outcome(of: UnreadRequest(kind: .driver, id: "vehicle-\(index)"), call).ending {
        case .issued(let token, let time): return token.response(at: time).encoded()
        case .refused(let refusal): throw refusal
        case .abandoned: throw CancellationError()
        }
    }

    private func scope(_ index: Int) throws -> TokenScope {
        try TokenScope(kind: .driver, id: "vehicle-\(index)", taskIDs: [], alphabet: .ascii)
    }

    private func call() -> IncomingCall {
        var head = HTTPRequest(method: .get, scheme: "http", authority: "localhost", path: "/token/driver/vehicle-1")
        head.headerFields[.apiKey] = key
        return IncomingCall(head, at: 0, from: "127.0.0.1")
    }

    private func record(_ caller: Caller, _ scope: TokenScope, _ token: AuditRecord.Token) -> AuditRecord {
        AuditRecord(
            time: now,
            requestID: "0123456789abcdef0123456789abcdef",
            caller: caller,
            address: "127.0.0.1",
            scope: scope,
            decision: .allow,
            rule: "backend-any",
            token: token
        )
    }
}

/// Keeps the optimizer from dropping what nobody reads.
@inline(never)
private func use<each Value>(_ value: repeat each Value) {}
