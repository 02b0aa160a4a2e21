package import FleetToken
import StrictCoding

/// A validated request for a token: its scope and lifetime.
package final class TokenRequest: Sendable {
    package let scope: TokenScope
    let lifetime: TokenLifetime
    /// Whether a reused token is acceptable.
    let allowsReuse: Bool

    /// Creates a request from a path and query.
    package init(
        kind: TokenKind,
        id: String?,
        parameters: [(name: String, value: String)],
        alphabet: ResourceID.Alphabet
    ) throws(TokenError) {
        var lifetime: String?
        var task: String?
        for parameter in parameters {
            switch parameter.name {
            case "lifetimeSeconds" where lifetime == nil: lifetime = parameter.value
            case "taskId" where task == nil: task = parameter.value
            case "lifetimeSeconds", "taskId":
                throw TokenError(.invalidQuery, "Duplicate query parameter: \(parameter.name).")
            default:
                throw TokenError(.invalidQuery, "Unknown query parameter. Use only lifetimeSeconds and taskId.")
            }
        }
        // A batch requires a body: a task in a query would be an unexpected restriction.
        guard task == nil || kind == .trustedDeliveryDriver else {
            throw TokenError(
                .unexpectedID,
                "taskId is only for trusted_delivery_driver. For a single task use /token/delivery_task/{id}; for a batch send a POST with taskIds."
            )
        }
        scope = try TokenScope(kind: kind, id: id, taskIDs: task.map { [$0] } ?? [], alphabet: alphabet)
        self.lifetime = try lifetime.map(Self.lifetime) ?? .default
        allowsReuse = true
    }

    init(scope: TokenScope, lifetime: TokenLifetime, allowsReuse: Bool = true) {
        self.scope = scope
        self.lifetime = lifetime
        self.allowsReuse = allowsReuse
    }

    /// Returns the same request, for which a reused token is not acceptable.
    func requiringNewToken() -> TokenRequest {
        TokenRequest(scope: scope, lifetime: lifetime, allowsReuse: false)
    }

    private static func lifetime(_ text: String) throws(TokenError) -> TokenLifetime {
        // Digits only: Int64 would also take a sign.
        guard text.utf8.allSatisfy(\.isASCIIDigit) else {
            return try TokenLifetime(seconds: -1)
        }
        return try TokenLifetime(seconds: Int64(text) ?? -1)
    }
}
