import FleetToken
import HTTPTypes
import JOSE
import Logging
import ServiceSupport
import Synchronization
import TestSupport
import TokenMinting

@testable import TokenIssuance

/// A pipeline whose steps note that they were taken; one of them ends each request.
final class PipelineScene: AuditSink, TokenSigner {
    /// A step of the pipeline.
    enum Step: CaseIterable, Sendable { case authenticate, limit, read, authorize, mint, audit }

    /// Where a request ends without a token.
    enum Ending: CaseIterable, Sendable {
        case noTokenRequest, unauthenticated, authenticationUnavailable, overAddressLimit, overCallerLimit
        case invalidRequest, denied, notMinted, queueFull, auditUnavailable, abandoned

        /// Creates the ending of a refused request.
        init(_ refusal: Refusal) {
            self =
                switch refusal {
                case .noTokenRequest, .methodNotAllowed: .noTokenRequest
                case .unauthenticated(let failure) where failure.code != .keysUnavailable: .unauthenticated
                case .unauthenticated, .clockIsWrong: .authenticationUnavailable
                case .overAddressLimit: .overAddressLimit
                case .overCallerLimit: .overCallerLimit
                case .invalidRequest: .invalidRequest
                case .denied: .denied
                case .notMinted, .clockChanged: .notMinted
                case .queueFull: .queueFull
                case .auditUnavailable: .auditUnavailable
                case .abandoned: .abandoned
                }
        }
    }

    private struct Failure: Error {}

    let clock = TestClock(at: 1_800_000_000)
    let log = RecordedLog()
    /// Called while the request is authorized.
    let whileAuthorizing = Mutex<(@Sendable () -> Void)?>(nil)
    /// Called while the token is signed.
    let whileSigning = Mutex<(@Sendable () -> Void)?>(nil)
    private let ending: Mutex<Ending?>
    private let taken = Mutex<[Step]>([])
    private let written = Mutex<[[UInt8]]>([])
    private let addresses = RateLimiter(.init(perMinute: 1, burst: 100))
    private let local: LocalSigner

    private let isPastSharedLines: Bool

    init(ending: Ending? = nil, isPastSharedLines: Bool = false) throws {
        self.ending = Mutex(ending)
        self.isPastSharedLines = isPastSharedLines
        local = LocalSigner(try ServiceAccount(email: "a@b.example", keyID: "key-1", key: try TestKeys.rsa(0)))
        if ending == .overAddressLimit { while addresses.take("192.0.2.1", now: clock.monotonic) == nil {} }
    }

    var steps: [Step] { taken.withLock { $0 } }
    /// The lines of decisions in the audit trail.
    var lines: [[UInt8]] { written.withLock { $0 } }
    /// The number of requests that the address's bucket has left.
    var left: Int { (0..<200).prefix { _ in addresses.take("192.0.2.1", now: clock.monotonic) == nil }.count }

    func end(as ending: Ending?) { self.ending.withLock { $0 = ending } }

    /// Sends requests, one after the other, to one pipeline, and returns their outcomes.
    func send(_ count: Int = 1) async throws -> [Outcome] {
        let limits = try makeLimits()
        let issuer = TokenIssuer(
            authenticate: caller,
            limits: limits,
            authorizer: GrantAuthorizer(
                grants: [.sample(callers: ["anonymous"], ids: .webhook(name: "w"))],
                webhooks: ["w": try GrantSamples.webhook(FakeHTTP(decision))]
            ),
            minter: ReusingMinter(TokenMinter(signers: [.driver: self]), clock: clock.service),
            audit: AuditTrail(sink: self, logger: log.logger),
            clock: clock.service
        )
        var outcomes: [Outcome] = []
        // Each is for another vehicle, so that none is reused.
        for number in 1..<(count + 1) {
            let id = ending.withLock { $0 == .invalidRequest } ? "7" : "\"v\(number)\""
            let body = #"{"vehicleId":\#(id)}"#
            let routed = RoutedRequest(kind: .driver) {
                try? self.take(.read)
                return Array(body.utf8)
            }
            var head = HTTPRequest(method: .post, scheme: nil, authority: nil, path: "/token/driver")
            head.headerFields[.contentType] = "application/json"
            let call = IncomingCall(head, at: 0, from: "192.0.2.1")
            if ending.withLock({ $0 == .noTokenRequest }) {
                outcomes.append(await issuer.refuse(Refusal.noTokenRequest(TokenError(.notFound, "No.")), call))
            } else {
                // A task of its own, which a client that goes ends.
                async let outcome = issuer.issue(routed, call)
                outcomes.append(await outcome)
            }
        }
        return outcomes
    }

    /// Creates limits that are reached where the ending says so, and that note when a caller's is looked at.
    private func makeLimits() throws -> CallerLimits {
        let (ending, service) = (self.ending.withLock { $0 }, clock.service)
        let noting = ServiceClock(
            continuous: {
                self.noteLimit()
                return service.monotonic
            },
            wall: service.wall,
            sleep: { try await service.sleep(for: $0) },
            random: service.random
        )
        let limits = CallerLimits(
            users: RateLimiter(.init(perMinute: 1, burst: ending == .overCallerLimit ? 1 : 100)),
            addresses: addresses,
            lines: .init(perMinute: 1, burst: 10),
            clock: noting
        )
        if ending == .overCallerLimit { try limits.admit(.anonymous) }
        if isPastSharedLines {
            let failure = Refusal.unauthenticated(AuthenticationFailure(.unknownAPIKey))
            while limits.charge(failure, to: "10.0.0.1").isRecorded {}
        }
        return limits
    }

    /// Notes that the limit of the caller, which is known by now, is looked at.
    private func noteLimit() {
        let isAuthenticated = ending.withLock { ending in
            ![.unauthenticated, .authenticationUnavailable, .overAddressLimit].contains(ending)
        }
        taken.withLock { taken in
            if isAuthenticated, taken.last == .authenticate { taken.append(.limit) }
        }
    }

    private func take(_ step: Step, failingAs endings: Ending...) throws {
        taken.withLock { $0.append(step) }
        if ending.withLock({ ending in endings.contains { $0 == ending } }) { throw Failure() }
    }

    func caller(of call: IncomingCall) throws(AuthenticationFailure) -> Caller {
        do {
            try take(
                .authenticate,
                failingAs: .unauthenticated,
                .authenticationUnavailable,
                .overAddressLimit
            )
        } catch {
            let isUnavailable = ending.withLock { $0 == .authenticationUnavailable }
            throw AuthenticationFailure(isUnavailable ? .keysUnavailable : .unknownAPIKey)
        }
        return .anonymous
    }

    /// Returns the webhook's response.
    private func decision(_ request: OutgoingRequest) throws -> OutgoingResponse {
        do {
            try take(.authorize, failingAs: .denied, .abandoned)
        } catch  where ending.withLock({ $0 == .abandoned }) {
            withUnsafeCurrentTask { $0?.cancel() }
            throw error
        } catch {
            return OutgoingResponse(status: 200, body: Secret(#"{"allow":false}"#))
        }
        whileAuthorizing.withLock { $0 }?()
        return OutgoingResponse(status: 200, body: Secret(#"{"allow":true}"#))
    }

    var issuer: String { local.issuer }
    var publicKeys: [JWK] { local.publicKeys }
    var isRemote: Bool { false }

    func sign(payload: [UInt8]) async throws -> SignedToken {
        try take(.mint, failingAs: .notMinted)
        if ending.withLock({ $0 == .queueFull }) { throw GateRefusal(retryAfter: 1) }
        whileSigning.withLock { $0 }?()
        return try await local.sign(payload: payload)
    }

    func check() {}

    func write(_ bytes: [UInt8]) throws {
        try take(.audit, failingAs: .auditUnavailable)
        let lines = bytes.split(separator: UInt8(ascii: "\n")).map { Array($0) + [UInt8(ascii: "\n")] }
        written.withLock { $0 += lines.filter { $0.firstRange(of: "\"event\"".utf8) == nil } }
    }
}
