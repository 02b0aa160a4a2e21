import FleetToken
import HTTPTypes
import Metrics
import ServiceSupport
import Synchronization
import TestSupport
import Testing

@testable import TokenIssuance

/// Shorthand for callers and requested scopes.
enum GrantSamples {
    static func caller(
        _ name: String = "app",
        claims: String = "{}",
        method: Caller.Method = .jwt,
        isAdmin: Bool = false
    ) throws -> Caller {
        let claims = try JSONParser.parseObject(claims.utf8)
        return Caller(
            method: method,
            name: name,
            subject: "subject-1",
            claims: claims,
            rateLimit: .perUser,
            isAdmin: isAdmin
        )
    }

    static func authorizer(
        _ grants: GrantConfiguration...,
        webhooks: [String: StubWebhook] = [:]
    ) throws -> GrantAuthorizer {
        GrantAuthorizer(grants: grants, webhooks: try webhooks.mapValues { try webhook($0) })
    }

    static func webhook(
        _ http: any OutgoingHTTP,
        metrics: any MetricsFactory = NOOPMetricsHandler.instance
    ) throws -> AuthorizationWebhook {
        AuthorizationWebhook(
            WebhookConfiguration(name: "w", url: try WebhookURL("https://example.com"), secretFile: ""),
            secret: Secret("0123456789abcdef0123456789abcdef"),
            timeout: .seconds(1),
            http: http,
            metrics: metrics,
            clock: .stopped()
        )
    }
}

extension GrantConfiguration {
    static func sample(
        _ name: String = "grant",
        callers: [String] = ["app"],
        conditions: [ClaimCondition] = [],
        kinds: [TokenKind] = [.driver],
        ids: IDRule,
        tasks: IDRule? = nil
    ) -> Self {
        Self(
            name: name,
            callers: callers,
            conditions: conditions,
            kinds: kinds,
            ids: ids,
            tasks: tasks
        )
    }
}

extension GrantAuthorizer {
    /// The reason why a request is refused; nil when it is granted.
    func refusal(_ caller: Caller, _ scope: TokenScope) async throws -> TokenError.Reason? {
        do {
            _ = try await authorize(caller, for: scope, in: .sample)
            return nil
        } catch {
            return error.error.reason
        }
    }
}

extension TokenScope {
    static func vehicle(_ id: String) throws -> Self {
        .driver(vehicle: try ResourceID(id))
    }
}

extension IDRule {
    static func ids(_ ids: String...) throws -> Self {
        .list(Set(try ids.map { try ResourceID($0) }))
    }
}

extension GrantAuthorizer {
    /// Returns what each grant says, after the webhooks that the decision depends on.
    func decide(_ caller: Caller, _ scope: TokenScope) async throws -> GrantDecision {
        var decision = explain(caller, scope)
        try await callWebhooks(of: &decision, caller, scope: scope, in: .sample)
        return decision
    }
}

extension IncomingCall {
    static let sample = sample(id: "request-1")

    /// A request with credentials that a trusted proxy has given an ID.
    static func sample(id: String, traceparent: String? = nil) -> IncomingCall {
        var fields: HTTPFields = [.requestID: id, .authorization: "Bearer credential"]
        fields[.traceParent] = traceparent
        let head = HTTPRequest(method: .get, scheme: nil, authority: nil, path: "/", headerFields: fields)
        return IncomingCall(head, at: 0, from: "192.0.2.1", isTrusted: true)
    }
}

/// A webhook's server that responds without a network, and remembers what it was asked.
final class StubWebhook: OutgoingHTTP {
    private let decide: @Sendable (TokenScope) -> WebhookResult
    private let scopes = Mutex<[TokenScope]>([])

    init(_ decide: @escaping @Sendable (TokenScope) -> WebhookResult) {
        self.decide = decide
    }

    convenience init(_ result: WebhookResult) {
        self.init { _ in result }
    }

    var asked: [TokenScope] { scopes.withLock { $0 } }

    func send(_ request: OutgoingRequest) async throws(OutgoingError) -> OutgoingResponse {
        guard let scope = try? Self.scope(request) else { throw .failed("the request has no scope") }
        scopes.withLock { $0.append(scope) }
        switch decide(scope) {
        case .allowed: return .init(status: 200, body: Secret(#"{"allow":true}"#))
        case .denied: return .init(status: 200, body: Secret(#"{"allow":false}"#))
        case .noDecision: return .init(status: 404)
        case .noResponse(_, let seconds?): return .init(status: 503, headers: ["retry-after": "\(seconds)"])
        case .noResponse(let reason, nil): throw .failed(reason)
        case .overloaded: throw .failed("a server does not know of its client's queue")
        }
    }

    private static func scope(_ request: OutgoingRequest) throws -> TokenScope {
        let body = try JSONParser.parseObject(request.body?.reveal() ?? [])
        func ids(_ name: String) -> [String] { body[name]?.arrayValue?.compactMap(\.stringValue) ?? [] }
        let kind = try #require(TokenKind(rawValue: body["kind"]?.stringValue ?? ""))
        return kind.isPrivileged
            ? try TokenScope(kind: kind, id: nil, taskIDs: ids("ids"))
            : try TokenScope(kind: kind, id: ids("ids").first, taskIDs: ids("tasks"))
    }
}
