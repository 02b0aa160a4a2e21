package import FleetToken
import HTTPTypes

/// A validated request for a token: its scope and lifetime.
struct TokenRequest: Sendable {
    let scope: TokenScope
    let lifetime: TokenLifetime
    /// Whether a reused token is acceptable.
    var allowsReuse = true
}

/// A request for a token according to its route: nothing of it is validated yet, and its body is not read.
package struct UnreadRequest: Sendable {
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
    func scope(_ rules: RequestRules) -> TokenScope? {
        guard let kind, body == nil else { return nil }
        return try? inPath(kind, rules).scope
    }

    /// Returns the validated request; header fields describe the body, and whether a reused token is acceptable.
    ///
    /// - Throws: ``TokenError`` that names the problem.
    func read(_ head: HTTPRequest, _ rules: RequestRules) throws(TokenError) -> TokenRequest {
        var request = if let kind, body == nil { try inPath(kind, rules) } else { try inBody(head, rules) }
        request.allowsReuse = try Self.allowsReuse(head)
        return request
    }

    private func inPath(_ kind: TokenKind, _ rules: RequestRules) throws(TokenError) -> TokenRequest {
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
        let scope = try rules.scope(kind: kind, id: id, taskIDs: task.map { [$0] } ?? [])
        guard let lifetime else { return TokenRequest(scope: scope, lifetime: .default) }
        // Digits only: Int64 would also take a sign.
        let seconds = lifetime.utf8.allSatisfy(\.isASCIIDigit) ? Int64(lifetime) : nil
        return TokenRequest(scope: scope, lifetime: try TokenLifetime(seconds: seconds ?? -1))
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

/// What a request may name, the same for the service, `tokend explain` and expected decisions.
package struct RequestRules: Sendable, Hashable {
    /// The maximum number of tasks in one token.
    package let maximumTasks: Int
    /// The maximum number of UTF-8 bytes of a batch's IDs together, so that the token fits into a request's header fields.
    package let maximumTaskBytes: Int

    /// Creates rules.
    package init(maximumTasks: Int = 50, maximumTaskBytes: Int = 4096) {
        self.maximumTasks = maximumTasks
        self.maximumTaskBytes = maximumTaskBytes
    }

    /// The maximum number of JSON values in a body: more than any valid request has, so that a batch with too many tasks
    /// gets a specific error.
    var maximumBodyValues: Int { 4 * maximumTasks + 56 }

    /// Returns the scope of a request, in whose IDs nothing is trimmed or normalized.
    ///
    /// - Parameters:
    ///   - kind: The kind of token.
    ///   - id: The trip, vehicle, delivery vehicle, tracking ID or task, for a kind that requires one.
    ///   - taskIDs: At most one for a trusted driver, those of a batch for a delivery server.
    /// - Returns: The scope.
    /// - Throws: ``TokenError`` that names the problem.
    package func scope(kind: TokenKind, id: String?, taskIDs: [String] = []) throws(TokenError) -> TokenScope {
        // Before all of them are validated.
        guard kind.tasks != .batch || taskIDs.count <= maximumTasks else { throw tooManyTasks }
        let scope = try TokenScope(kind: kind, id: id, taskIDs: taskIDs)
        if case .batch(let tasks) = scope.resources {
            guard tasks.reduce(0, { $0 + $1.rawValue.utf8.count }) <= maximumTaskBytes else { throw tooManyTasks }
        }
        return scope
    }

    private var tooManyTasks: TokenError {
        TokenError(
            .invalidID,
            "Too many task IDs: at most \(maximumTasks), and \(maximumTaskBytes) bytes in total. Request one token per batch."
        )
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
