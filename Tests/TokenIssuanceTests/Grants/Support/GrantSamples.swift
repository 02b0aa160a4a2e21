import FleetToken
import Logging
import Testing

@testable import TokenIssuance

/// Short ways to say who asks for what.
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
            limit: .perUser,
            isAdmin: isAdmin
        )
    }

    static func authorizer(
        _ grants: GrantConfiguration...,
        webhooks: [String: StubWebhook] = [:],
        logger: Logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    ) -> GrantAuthorizer {
        GrantAuthorizer(
            grants: grants,
            webhooks: webhooks.mapValues { webhook in { await webhook.result(for: $0, $1, requestID: $2) } },
            logger: logger
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

extension Authorizer {
    /// The reason why a request is refused; nil when it is granted.
    func refusal(_ caller: Caller, _ scope: TokenScope) async throws -> TokenError.Reason? {
        do {
            _ = try await authorize(caller, for: scope, requestID: "request-1")
            return nil
        } catch {
            return error.reason
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
        .list(try ids.map { try ResourceID($0) })
    }
}

/// Answers without a network, and remembers what it was asked.
final actor StubWebhook {
    private let decide: @Sendable (Caller, TokenScope) -> WebhookResult
    private(set) var asked: [TokenScope] = []

    init(_ decide: @escaping @Sendable (Caller, TokenScope) -> WebhookResult) {
        self.decide = decide
    }

    init(_ result: WebhookResult) {
        self.init { _, _ in result }
    }

    func result(for caller: Caller, _ scope: TokenScope, requestID: String) -> WebhookResult {
        asked.append(scope)
        return decide(caller, scope)
    }
}
