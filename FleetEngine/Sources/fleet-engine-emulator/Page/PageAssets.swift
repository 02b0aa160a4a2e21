import HTTPTypes
import Hummingbird
import Synchronization

/// The journey page, which the REST listener serves beside the API: `/?trip=ID` and `/?tracking=ID`.
final class PageAssets: Sendable {
    /// The page's media types by the file name's end.
    private static let types = [
        "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8",
        "svg": "image/svg+xml", "json": "application/json",
    ]

    private let tokenServer: String
    private let tiles: (url: String, attribution: String)?
    /// Returns what the start page lists.
    private let fleet: @Sendable () -> Fleet
    /// The control plane's address, once it listens.
    private let control = Mutex("")

    /// Creates the page, for tokens of a token server.
    init(
        tokenServer: String,
        tiles: (url: String, attribution: String)?,
        fleet: @escaping @Sendable () -> Fleet
    ) {
        self.tokenServer = tokenServer
        self.tiles = tiles
        self.fleet = fleet
    }

    /// Sets the address of the control plane, where the page injects faults.
    func setControl(_ address: String) {
        control.withLock { $0 = "http://\(address)" }
    }

    /// Returns the response for a path; nil if no page is there.
    func response(for target: RequestTarget, method: HTTPRequest.Method) -> Response? {
        guard method == .get || method == .head else { return nil }
        let name = target.segments.joined(separator: "/")
        if name == "page/configuration.json" { return Response(json: configuration.bytes) }
        if name.isEmpty, target.parameters.isEmpty {
            return .page(StartPage.html(fleet(), control: control.withLock { $0 }), policy: policy)
        }
        guard let file = Self.files[name] else { return nil }
        let type = Self.types[name.isEmpty ? "html" : name.split(separator: ".").last.map(String.init) ?? ""]
        return .page(file, type: type ?? "application/octet-stream", policy: policy)
    }

    /// The page's own files only, and requests to this emulator and to the token server.
    private var policy: String {
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' \(tiles.flatMap { Self.origin(of: $0.url) } ?? ""); "
            + "connect-src 'self' \(tokenServer) \(control.withLock { $0 }); "
            + "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    }

    private var configuration: JSON {
        .members([
            "projectId": "demo-fleet",
            "tokenServer": .string(tokenServer),
            "fleetEngine": "",
            "controlPlane": .string(control.withLock { $0 } + "/_emulator"),
            "tiles": tiles.map { ["url": .string($0.url), "attribution": .string($0.attribution)] },
        ])
    }

    /// Returns whether a text is an origin that a content security policy can name.
    static func isOrigin(_ text: String) -> Bool {
        guard let scheme = ["http://", "https://"].first(where: text.hasPrefix) else { return false }
        let authority = text.utf8.dropFirst(scheme.utf8.count)
        return !authority.isEmpty
            && authority.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & 0xDF) || ".-:[]".utf8.contains(byte)
            }
    }

    /// Returns the origin of a URL; nil if a content security policy cannot name it.
    static func origin(of url: String) -> String? {
        let parts = url.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count == 4, Self.isOrigin("\(parts[0])//\(parts[2])"), parts[1].isEmpty else { return nil }
        return "\(parts[0])//\(parts[2])"
    }
}

extension Response {
    /// Creates a response with a file of a page.
    static func page(_ text: String, type: String = "text/html; charset=utf-8", policy: String) -> Response {
        Response(
            status: .ok,
            headers: [.contentType: type, .contentSecurityPolicy: policy, .xContentTypeOptions: "nosniff"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text))
        )
    }
}
