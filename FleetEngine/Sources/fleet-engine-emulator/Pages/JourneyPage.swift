import FleetToken
import HTTPTypes
import Hummingbird
import NIOCore

/// The journey page, which is served beside the API: `/?trip=ID` and `/?tracking=ID`.
struct JourneyPage: Sendable {
    /// The page's media types by the file name's end.
    private static let types = [
        "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8",
        "svg": "image/svg+xml",
    ]

    private let tokenServer: String

    /// Creates the page.
    ///
    /// - Throws: ``EmulatorError`` for a token server that a content security policy cannot name.
    init(tokenServer: String) throws(EmulatorError) {
        guard Self.isOrigin(tokenServer) else {
            throw EmulatorError("\(tokenServer) is not an origin such as http://127.0.0.1:8080.")
        }
        self.tokenServer = tokenServer
    }

    /// Returns the response for a path; nil if no page is there.
    func response(for target: RequestTarget, _ method: HTTPRequest.Method) -> Response? {
        guard method == .get || method == .head else { return nil }
        switch target.segments {
        case [""]: return response(PageFiles.all["index.html"] ?? [], "html")
        case ["page", "configuration.json"]: return Response(.success(configuration))
        default:
            guard target.segments.count == 2, target.segments[0] == "page", let file = PageFiles.all[target.segments[1]]
            else { return nil }
            return response(file, target.segments[1].split(separator: ".").last.map(String.init) ?? "")
        }
    }

    private func response(_ file: [UInt8], _ type: String) -> Response {
        Response(
            status: .ok,
            headers: [
                .contentType: Self.types[type] ?? "application/octet-stream", .contentSecurityPolicy: policy,
                .xContentTypeOptions: "nosniff",
            ],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: file))
        )
    }

    /// The page's own files only, and requests to this emulator and to the token server.
    private var policy: String {
        "default-src 'none'; script-src 'self'; style-src 'self'; "
            + "img-src 'self'; connect-src 'self' \(tokenServer); "
            + "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    }

    private var configuration: JSONValue {
        .members([("projectId", .string("demo-fleet")), ("tokenServer", .string(tokenServer))])
    }

    /// Returns whether a text is an origin that a content security policy can name.
    private static func isOrigin(_ text: String) -> Bool {
        guard let scheme = ["http://", "https://"].first(where: text.hasPrefix) else { return false }
        let authority = text.utf8.dropFirst(scheme.utf8.count)
        return !authority.isEmpty
            && authority.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & 0xDF) || ".-:[]".utf8.contains(byte)
            }
    }
}
