package import FleetToken
import StrictCoding

/// A validated request for a token: its scope and lifetime.
package struct TokenRequest: Sendable {
    package let scope: TokenScope
    let lifetime: TokenLifetime
    /// Whether a reused token is acceptable.
    var allowsReuse = true

    /// The most bytes a body may have: 16 KiB.
    static let maximumBodySize = 16 * 1024

    /// Creates a request from a path and query.
    package init(
        kind: TokenKind,
        id: String?,
        parameters: [(name: String, value: String)],
        rules: RequestRules
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
        scope = try rules.scope(kind: kind, id: id, taskIDs: task.map { [$0] } ?? [])
        self.lifetime = try lifetime.map(Self.lifetime) ?? .default
    }

    /// Creates a request from a JSON body, with the names of the JavaScript SDK's context.
    ///
    /// - Parameters:
    ///   - body: The JSON.
    ///   - pathKind: The kind, where the path has it; the body then has none.
    ///   - rules: What the request may name.
    /// - Throws: ``TokenError`` that names the invalid field.
    package init(
        body: [UInt8],
        pathKind: TokenKind? = nil,
        rules: RequestRules
    ) throws(TokenError) {
        let fields: BodyFields
        do {
            fields = BodyFields(object: try JSONParser.parseObject(body, maximumValues: rules.maximumBodyValues))
        } catch {
            throw TokenError(.invalidBody, "Invalid body: \(error).")
        }
        let kind = if let pathKind { pathKind } else { try fields.kind() }
        try fields.requireKnownNames(for: kind, kindIsInPath: pathKind != nil)
        scope = try rules.scope(kind: kind, id: try fields.id(for: kind), taskIDs: try fields.taskIDs(for: kind))
        lifetime = try fields.lifetime()
    }

    private static func lifetime(_ text: String) throws(TokenError) -> TokenLifetime {
        // Digits only: Int64 would also take a sign.
        guard text.utf8.allSatisfy(\.isASCIIDigit) else {
            return try TokenLifetime(seconds: -1)
        }
        return try TokenLifetime(seconds: Int64(text) ?? -1)
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
