#if Emulator
import HTTPServer
import HTTPTypes
import StrictCoding
import Synchronization

/// The journey page, which the REST listener serves beside the API: `/?trip=ID` and `/?tracking=ID`.
final class PageAssets: Sendable {
    /// The page's media types by the file name's end.
    private static let types = [
        "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8",
        "svg": "image/svg+xml", "json": "application/json",
    ]

    private let tokenServer: String
    /// The control plane's address, once it listens.
    private let control = Mutex("")

    /// Creates the page, for tokens of a token server.
    init(tokenServer: String) {
        self.tokenServer = tokenServer
    }

    /// Sets the address of the control plane, where the page injects faults.
    func setControl(_ address: String) {
        control.withLock { $0 = "http://\(address)" }
    }

    /// Returns the response for a path; nil if no page is there.
    func response(for path: [String], method: HTTPRequest.Method) -> Response? {
        guard method == .get || method == .head else { return nil }
        let name = path.joined(separator: "/")
        if name == "page/configuration.json" { return Response(status: .ok, json: configuration) }
        guard let file = Self.files[name] else { return nil }
        let type = Self.types[name.isEmpty ? "html" : name.split(separator: ".").last.map(String.init) ?? ""]
        return Response(
            status: .ok,
            contentType: type ?? "application/octet-stream",
            headers: [.contentSecurityPolicy: policy, .xContentTypeOptions: "nosniff"],
            body: Array(file.utf8)
        )
    }

    /// The page's own files only, and requests to this emulator and to the token server.
    private var policy: String {
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
            + "connect-src 'self' \(tokenServer) \(control.withLock { $0 }); "
            + "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    }

    private var configuration: [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.name("projectId")
            writer.string("demo-fleet")
            writer.name("tokenServer")
            writer.string(tokenServer)
            writer.name("fleetEngine")
            writer.string("")
            writer.name("controlPlane")
            writer.string(control.withLock { $0 } + "/_emulator")
        }
        return writer.bytes
    }
}
#endif
