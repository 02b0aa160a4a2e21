import FleetToken
import HTTPTypes
import Hummingbird
import NIOCore

/// The journey page, which is served beside the API: `/?trip=ID` and `/?tracking=ID`.
struct JourneyPage: Sendable {
    /// The page's media types by the file name's end.
    private static let types = [
        "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8",
        "svg": "image/svg+xml", "json": "application/json",
    ]

    private let tokenServer: String
    private let tiles: (url: String, attribution: String)?

    /// Creates the page, with the token server and the map tiles of the options.
    init(_ options: EmulatorOptions) {
        tokenServer = options.tokenServer
        tiles = options.tiles
    }

    /// Checks that a content security policy can name the token server and the tiles.
    static func check(_ options: EmulatorOptions) throws(EmulatorError) {
        guard isOrigin(options.tokenServer) else {
            throw EmulatorError("\(options.tokenServer) is not an origin such as http://127.0.0.1:8080.")
        }
        guard let url = options.tiles?.url else { return }
        guard origin(of: url) != nil, ["{z}", "{x}", "{y}"].allSatisfy(url.contains) else {
            throw EmulatorError("\(url) is not a URL such as https://tile.example.com/{z}/{x}/{y}.png.")
        }
    }

    /// Returns the response for a path; nil if no page is there.
    func response(for target: RequestTarget, _ method: HTTPRequest.Method) -> Response? {
        guard method == .get || method == .head else { return nil }
        switch target.segments {
        case [""]: return response(PageFiles.all["index.html"] ?? [], "html")
        case ["page", "configuration.json"]: return Response(json: configuration)
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
            + "img-src 'self' \(tiles.flatMap { Self.origin(of: $0.url) } ?? ""); connect-src 'self' \(tokenServer); "
            + "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    }

    private var configuration: JSONValue {
        .members([
            ("projectId", .string("demo-fleet")), ("tokenServer", .string(tokenServer)), ("fleetEngine", .string("")),
            ("controlPlane", .string("/_emulator")),
            (
                "tiles",
                tiles.map { .members([("url", .string($0.url)), ("attribution", .string($0.attribution))]) }
            ),
        ])
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

    /// Returns the origin of a URL; nil if a content security policy cannot name it.
    private static func origin(of url: String) -> String? {
        let parts = url.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count == 4, isOrigin("\(parts[0])//\(parts[2])"), parts[1].isEmpty else { return nil }
        return "\(parts[0])//\(parts[2])"
    }
}
