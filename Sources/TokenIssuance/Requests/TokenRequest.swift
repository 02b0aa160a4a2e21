package import FleetToken

/// A request for a token, checked: what it is to open and for how long.
package struct TokenRequest {
    package let scope: TokenScope
    let lifetime: TokenLifetime
    /// Whether a token that was handed out before will do.
    package var allowsReuse = true

    /// A request in a path and query.
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
                throw TokenError(.invalidQuery, "The query has \(parameter.name) twice.")
            default:
                throw TokenError(.invalidQuery, "The query has a parameter other than lifetimeSeconds and taskId.")
            }
        }
        // A batch needs a body: one task in a query would be a quiet narrowing that nobody expects.
        guard task == nil || kind == .trustedDeliveryDriver else {
            throw TokenError(
                .unexpectedID,
                "taskId goes with trusted_delivery_driver only. A task of its own is at /token/delivery_task/{id}; a batch is a POST with taskIds."
            )
        }
        scope = try TokenScope(kind: kind, id: id, taskIDs: task.map { [$0] } ?? [], alphabet: alphabet)
        self.lifetime = try lifetime.map(Self.lifetime) ?? .default
    }

    init(scope: TokenScope, lifetime: TokenLifetime) {
        self.scope = scope
        self.lifetime = lifetime
    }

    private static func lifetime(_ text: String) throws(TokenError) -> TokenLifetime {
        // Digits only: Int64 would also take a sign.
        guard text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
            return try TokenLifetime(seconds: -1)
        }
        return try TokenLifetime(seconds: Int64(text) ?? -1)
    }
}
