package import FleetToken
import HTTPTypes
import StrictCoding

/// A validated request for a token: its scope and lifetime.
struct TokenRequest: Sendable {
    let scope: TokenScope
    let lifetime: TokenLifetime
    /// Whether a reused token is acceptable.
    var allowsReuse = true
}

/// A request for a token according to its route: nothing of it is validated yet, and its body is not read.
package struct UnreadRequest: Sendable {
    /// The most bytes a body may have: 16 KiB.
    private static let maximumBodySize = 16 * 1024

    /// The kind of token, where the path has it.
    package let kind: TokenKind?
    private let id: String?
    private let parameters: [(name: String, value: String)]
    private let body: (@Sendable () -> [UInt8])?

    /// Creates a request.
    ///
    /// - Parameters:
    ///   - kind: The kind of token, where the path has it.
    ///   - id: The ID in the path.
    ///   - parameters: The parameters of the query.
    ///   - body: Returns the body; nil if all of the request is in the path and the query.
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

    /// Returns the validated request.
    ///
    /// - Parameters:
    ///   - head: The header fields, which describe the body and whether a reused token is acceptable.
    ///   - rules: What the request may name.
    /// - Returns: The request.
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

    /// Reads a JSON body, with the names of the JavaScript SDK's context.
    private func inBody(_ head: HTTPRequest, _ rules: RequestRules) throws(TokenError) -> TokenRequest {
        guard parameters.isEmpty else { throw .unexpectedQuery }
        // Other types could come from a form on a web page, without a preflight request.
        guard head.headerFields[.contentType].map(Self.isJSON) ?? false else {
            throw TokenError(.unsupportedMediaType, "Send the body as JSON, with Content-Type: application/json.")
        }
        let bytes = body?() ?? []
        guard bytes.count <= Self.maximumBodySize else {
            throw TokenError(.bodyTooLarge, "The body is larger than 16 KiB.")
        }
        let fields: BodyFields
        do {
            fields = BodyFields(object: try JSONParser.parseObject(bytes, maximumValues: rules.maximumBodyValues))
        } catch {
            throw TokenError(.invalidBody, "Invalid body: \(error).")
        }
        // Where the path has the kind, the body has none.
        let kind = if let kind { kind } else { try fields.kind() }
        try fields.requireKnownNames(for: kind, kindIsInPath: self.kind != nil)
        return TokenRequest(
            scope: try rules.scope(kind: kind, id: try fields.id(for: kind), taskIDs: try fields.taskIDs(for: kind)),
            lifetime: try fields.lifetime()
        )
    }

    /// Returns whether a media type is `application/json`, with any parameters (RFC 9110 section 8.3.1).
    private static func isJSON(_ field: String) -> Bool {
        field.utf8.prefix { $0 != UInt8(ascii: ";") }.isToken("application/json")
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

/// The fields of a body, each read with its required type.
private struct BodyFields {
    let object: JSONObject

    func kind() throws(TokenError) -> TokenKind {
        guard let name = try string("kind"), let kind = TokenKind(name: name) else {
            throw TokenError(.unknownKind, "kind must be one of \(TokenKind.names).")
        }
        return kind
    }

    func string(_ name: String) throws(TokenError) -> String? {
        guard let value = object[name] else { return nil }
        guard let string = value.stringValue else { throw TokenError(.invalidBody, "\(name) must be a string.") }
        return string
    }

    func id(for kind: TokenKind) throws(TokenError) -> String? {
        guard let field = kind.idField else { return nil }
        return try string(field)
    }

    func taskIDs(for kind: TokenKind) throws(TokenError) -> [String] {
        switch kind.tasks {
        case .none: return []
        case .one: return try string("taskId").map { [$0] } ?? []
        case .batch:
            guard let value = object["taskIds"] else { return [] }
            let ids = value.arrayValue?.compactMap(\.stringValue)
            // An empty list must not become a token for everything.
            guard let ids, !ids.isEmpty, ids.count == value.arrayValue?.count else {
                throw TokenError(.invalidBody, "taskIds must be an array of at least one string.")
            }
            return ids
        }
    }

    func lifetime() throws(TokenError) -> TokenLifetime {
        guard let value = object["lifetimeSeconds"] else { return .default }
        return try TokenLifetime(seconds: value.integerValue ?? -1)
    }

    /// Refuses names that this kind does not have: ignoring them would give access to something else than requested.
    func requireKnownNames(for kind: TokenKind, kindIsInPath: Bool) throws(TokenError) {
        var known = ["lifetimeSeconds"]
        if !kindIsInPath { known.append("kind") }
        if let field = kind.idField { known.append(field) }
        if kind.tasks == .one { known.append("taskId") }
        if kind.tasks == .batch { known.append("taskIds") }
        for name in object.names where !known.contains(where: { $0.hasSameBytes(as: name) }) {
            throw TokenError(
                .invalidBody,
                "Unknown field. Fields for \(kind.rawValue) are \(known.joined(separator: ", "))."
            )
        }
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
