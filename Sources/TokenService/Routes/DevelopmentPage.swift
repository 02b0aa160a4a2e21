import HTTPServer
import HTTPTypes

/// The page at `/` in development mode: a form that requests a token, and the commands that do the same.
///
/// A browser that opens the service's URL finds help there. Production has no such page.
struct DevelopmentPage: Sendable {
    /// The page's own script and style, no others, and requests to the service alone.
    private static let policy =
        "default-src 'none'; script-src '\(scriptDigest)'; style-src '\(styleDigest)'; img-src data:; connect-src 'self'; "
        + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

    private let body = Array(content.utf8)

    func response(to request: HTTPRequest) -> Response? {
        guard request.path == "/", request.method == .get || request.method == .head else { return nil }
        return Response(
            status: .ok,
            contentType: "text/html; charset=utf-8",
            headers: [.contentSecurityPolicy: Self.policy, .referrerPolicy: "no-referrer"],
            body: body
        )
    }
}

extension HTTPField.Name {
    // swift-format-ignore: NeverForceUnwrap
    fileprivate static let referrerPolicy = Self("Referrer-Policy")!
}
