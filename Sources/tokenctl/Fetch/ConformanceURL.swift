import FleetToken
import ServiceSupport
import TokenService

/// Where a server issues tokens: a base URL, or one with `{id}` in the place of the ID.
struct ConformanceURL {
    private static let placeholder = "{id}"
    private let text: String

    /// Whether `/token/KIND/ID` follows it.
    let hasKind: Bool

    /// - Throws: ``CommandError`` with the status ``ExitStatus/usage``.
    init(_ text: String) throws(CommandError) {
        hasKind = !text.contains(Self.placeholder)
        self.text = hasKind ? try TokenServer(text, option: "--conformance").url : text
        _ = try TokenServer.checked(self.text.replacing(Self.placeholder, with: "id"), option: "--conformance")
    }

    /// Returns the URL of a token; nil is no ID.
    func text(kind: TokenKind, id: String?) -> String {
        let id = TokenServer.percentEncoded(id ?? "")
        return hasKind ? "\(text)/token/\(kind.rawValue)/\(id)" : text.replacing(Self.placeholder, with: id)
    }
}
