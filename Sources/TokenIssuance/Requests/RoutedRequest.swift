package import FleetToken
import HTTPTypes

/// A request for a token according to its route: nothing of it is validated yet, and its body is not read.
package struct RoutedRequest: Sendable {
    /// The maximum size of a body, in bytes: 16 KiB.
    package static let maximumBodySize = 16 * 1024

    /// The kind of token, where the path has it.
    package let kind: TokenKind?
    private let id: String?
    /// Those of the query.
    let parameters: [(name: String, value: String)]
    /// Returns the body; nil if all of the request is in the path and the query.
    let body: (@Sendable () -> [UInt8])?

    /// Creates a request.
    package init(
        kind: TokenKind?,
        id: String? = nil,
        parameters: [(name: String, value: String)] = [],
        body: (@Sendable () -> [UInt8])? = nil
    ) {
        self.kind = kind
        self.id = id
        self.parameters = parameters
        self.body = body
    }

    /// Returns the requested scope if it is valid and in the path, for the record of a request that is not read.
    func scope() -> TokenScope? {
        guard let kind, body == nil else { return nil }
        return try? inPath(kind).scope
    }

    /// Returns the validated request; header fields describe the body, and whether a reused token is acceptable.
    ///
    /// - Throws: ``TokenError`` that names the problem.
    func read(_ head: HTTPRequest) throws(TokenError) -> ValidatedRequest {
        var request = if let kind, body == nil { try inPath(kind) } else { try inBody(head) }
        request.allowsReuse = try Self.allowsReuse(head)
        return request
    }

    private func inPath(_ kind: TokenKind) throws(TokenError) -> ValidatedRequest {
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
        let scope = try TokenScope(kind: kind, id: id, taskIDs: task.map { [$0] } ?? [])
        guard let lifetime else { return ValidatedRequest(scope: scope, lifetime: .default) }
        // Digits only: Int64 would also take a sign.
        let seconds = lifetime.utf8.allSatisfy(\.isASCIIDigit) ? Int64(lifetime) : nil
        return ValidatedRequest(scope: scope, lifetime: try TokenLifetime(seconds: seconds ?? -1))
    }

    /// Returns whether a reused token is acceptable: not if the caller reports that Fleet Engine rejected it.
    private static func allowsReuse(_ head: HTTPRequest) throws(TokenError) -> Bool {
        let values = head.headerFields[values: .fleetTokenReuse]
        guard let value = values.first else { return true }
        guard values.count == 1, value.hasSameBytes(as: "no") else {
            throw TokenError(.malformedRequest, "Fleet-Token-Reuse must be no, for a new token, or omitted.")
        }
        return false
    }
}

extension TokenError {
    /// A path and method without query parameters has some, which would be ignored.
    package static let unexpectedQuery = Self(
        .invalidQuery,
        "This path and method accept no query parameters. Send the parameters of a POST in the body."
    )
}

extension HTTPField.Name {
    // A valid field name, spelled out here.
    // swift-format-ignore: NeverForceUnwrap
    static let fleetTokenReuse = Self("Fleet-Token-Reuse")!
}
