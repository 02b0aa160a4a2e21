import FleetToken
import HTTPTypes

extension RoutedRequest {
    /// Reads a JSON body, with the names of the JavaScript SDK's context.
    func inBody(_ head: HTTPRequest) throws(TokenError) -> ValidatedRequest {
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
            fields = BodyFields(object: try JSONParser.parseObject(bytes, maximumValues: BodyFields.maximumValues))
        } catch {
            throw TokenError(.invalidBody, "Invalid body: \(error).")
        }
        // Where the path has the kind, the body has none.
        let kind = if let kind { kind } else { try fields.kind() }
        try fields.requireKnownNames(for: kind, kindIsInPath: self.kind != nil)
        return ValidatedRequest(
            scope: try TokenScope(kind: kind, id: try fields.id(for: kind), taskIDs: try fields.taskIDs(for: kind)),
            lifetime: try fields.lifetime()
        )
    }

    /// Returns whether a media type is `application/json`, with any parameters (RFC 9110 section 8.3.1).
    private static func isJSON(_ field: String) -> Bool {
        field.utf8.prefix { $0 != UInt8(ascii: ";") }.isToken("application/json")
    }
}

/// The fields of a body, each read with its required type.
private struct BodyFields {
    /// The maximum number of JSON values in a body: more than any valid request has, so that a batch with too many tasks
    /// gets a specific error.
    static let maximumValues = 4 * TokenScope.maximumTasks + 56

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
