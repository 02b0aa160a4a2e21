package import FleetToken
import HTTPTypes
import StrictCoding

/// A request for a token according to its route: nothing of it is validated yet, and its body is not read.
package struct UnreadRequest: Sendable {
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
    func scope(_ rules: RequestRules) -> TokenScope? { try? inPath(rules)?.scope }

    /// Returns the validated request.
    ///
    /// - Parameters:
    ///   - head: The header fields, which describe the body and whether a reused token is acceptable.
    ///   - rules: What the request may name.
    /// - Returns: The request.
    /// - Throws: ``TokenError`` that names the problem.
    func read(_ head: HTTPRequest, _ rules: RequestRules) throws(TokenError) -> TokenRequest {
        var request = if let request = try inPath(rules) { request } else { try inBody(head, rules) }
        request.allowsReuse = try Self.allowsReuse(head)
        return request
    }

    private func inPath(_ rules: RequestRules) throws(TokenError) -> TokenRequest? {
        guard let kind, body == nil else { return nil }
        return try TokenRequest(kind: kind, id: id, parameters: parameters, rules: rules)
    }

    private func inBody(_ head: HTTPRequest, _ rules: RequestRules) throws(TokenError) -> TokenRequest {
        guard parameters.isEmpty else { throw .unexpectedQuery }
        // Other types could come from a form on a web page, without a preflight request.
        guard head.headerFields[.contentType].map(Self.isJSON) ?? false else {
            throw TokenError(.unsupportedMediaType, "Send the body as JSON, with Content-Type: application/json.")
        }
        let bytes = body?() ?? []
        guard bytes.count <= TokenRequest.maximumBodySize else {
            throw TokenError(.bodyTooLarge, "The body is larger than 16 KiB.")
        }
        return try TokenRequest(body: bytes, pathKind: kind, rules: rules)
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
