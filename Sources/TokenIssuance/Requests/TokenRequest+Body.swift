package import FleetToken
import StrictCoding

extension TokenRequest {
    /// The most bytes a body may have: 16 KiB.
    static let maximumBodySize = 16 * 1024
    /// The maximum number of JSON values in a body: more than any valid request has, so that a batch with too many
    /// tasks gets a specific error.
    static let maximumBodyValues = 256

    /// Creates a request from a JSON body, with the names of the JavaScript SDK's context.
    ///
    /// - Parameters:
    ///   - body: The JSON.
    ///   - pathKind: The kind, where the path has it; the body then has none.
    ///   - alphabet: Which scalars IDs may have.
    /// - Throws: ``TokenError`` that names the invalid field.
    package convenience init(
        body: [UInt8],
        pathKind: TokenKind? = nil,
        alphabet: ResourceID.Alphabet
    ) throws(TokenError) {
        let fields: BodyFields
        do {
            fields = BodyFields(try JSONParser.parseObject(body, maximumValues: Self.maximumBodyValues))
        } catch {
            throw TokenError(.invalidBody, "Invalid body: \(error).")
        }
        let kind = if let pathKind { pathKind } else { try fields.kind() }
        try fields.requireKnownNames(for: kind, kindIsInPath: pathKind != nil)
        let scope = try TokenScope(
            kind: kind,
            id: try fields.id(for: kind),
            taskIDs: try fields.taskIDs(for: kind),
            alphabet: alphabet
        )
        self.init(scope: scope, lifetime: try fields.lifetime())
    }
}

/// The fields of a body, each read with its required type.
private struct BodyFields {
    private let object: JSONObject

    init(_ object: JSONObject) {
        self.object = object
    }

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
