import FleetToken
import HTTPTypes
import JOSE

/// The page at `/` in development mode: a form that requests a token, and the commands that do the same.
///
/// A browser that opens the service's URL finds help there. Production has no such page.
struct DevelopmentPage: Sendable {
    private let body = PackageResources.DevelopmentPage_html
    private let headers: HTTPFields

    /// Creates the page, which allows its own script and style, no others, and requests to the service alone.
    init() {
        let (script, style) = (Self.digest(of: "script", in: body), Self.digest(of: "style", in: body))
        headers = [
            .contentSecurityPolicy:
                "default-src 'none'; script-src '\(script)'; style-src '\(style)'; img-src data:; connect-src 'self'; "
                + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
            .referrerPolicy: "no-referrer",
        ]
    }

    var response: Response {
        Response(status: .ok, contentType: "text/html; charset=utf-8", headers: headers, body: body)
    }

    /// Returns the digest of an element's content, as Content Security Policy names it.
    private static func digest(of element: String, in page: [UInt8]) -> String {
        guard let tag = page.firstRange(of: Array("<\(element)".utf8))?.upperBound,
            let start = page[tag...].firstIndex(of: UInt8(ascii: ">")),
            let end = page[start...].firstRange(of: Array("</\(element)>".utf8))?.lowerBound
        else { return "none" }
        let digest = SHA256Digest(of: page[(start + 1)..<end]).bytes
        return "sha256-\(String(decoding: Base64URL.encode(digest), as: UTF8.self))="
    }
}

extension HTTPField.Name {
    // swift-format-ignore: NeverForceUnwrap
    fileprivate static let referrerPolicy = Self("Referrer-Policy")!
}
