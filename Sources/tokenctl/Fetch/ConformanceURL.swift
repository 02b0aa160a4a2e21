import FleetToken
import ServiceSupport
import TokenService

/// Where a server issues tokens: a base URL, or one with `{id}` in the place of the ID.
struct ConformanceURL {
    private static let placeholder = "{id}"
    private let text: String
    private let isBase: Bool

    /// - Throws: ``CommandError`` with the status ``ExitStatus/usage``.
    init(_ text: String) throws(CommandError) {
        isBase = !text.contains(Self.placeholder)
        self.text = isBase ? try TokenEndpoint(text, option: "--conformance").url : text
        try TokenEndpoint.check(self.text.replacing(Self.placeholder, with: "id"), option: "--conformance")
    }

    /// Returns the URL of a token.
    func text(kind: TokenKind, id: ResourceID) -> String {
        let id = TokenEndpoint.percentEncoded(id.rawValue)
        return isBase ? "\(text)/token/\(kind.rawValue)/\(id)" : text.replacing(Self.placeholder, with: id)
    }
}
