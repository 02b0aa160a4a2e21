import Foundation

/// Builds the URLs of requests.
enum EngineURL {
    /// Returns the URL of a request.
    ///
    /// - Throws: ``FleetEngineError`` for a server that tokens must not be sent to, and for IDs that Fleet Engine doesn't have.
    static func make(
        _ request: EngineRequest,
        provider: String,
        _ configuration: FleetEngine.Configuration
    ) throws(FleetEngineError) -> URL {
        let server = try server(configuration, provider: provider)
        let segments = [provider] + request.path
        guard segments.allSatisfy(isID) else {
            throw FleetEngineError(.invalidArgument, "An ID has 1 to 64 characters, and none of / : ? , #.")
        }
        let path = (["v1", "providers"] + segments).map(encoded).joined(separator: "/")
        let query = request.query.map { "\($0.name)=\(encoded($0.value))" }.joined(separator: "&")
        guard let url = URL(string: "\(server)/\(path)\(query.isEmpty ? "" : "?")\(query)") else {
            throw FleetEngineError(.invalidArgument, "The request's path is not usable.")
        }
        return url
    }

    /// Returns the server without slashes at its end.
    private static func server(
        _ configuration: FleetEngine.Configuration,
        provider: String
    ) throws(FleetEngineError) -> String {
        guard configuration.server != FleetEngine.Configuration.googleServer || !provider.hasPrefix("demo-") else {
            throw FleetEngineError(
                .invalidArgument,
                "Providers whose ID begins with demo- exist in the emulator only: set its URL, or use your project's ID."
            )
        }
        let parts = URLComponents(string: configuration.server)
        guard let parts, let host = parts.host, !host.isEmpty, parts.user == nil, parts.password == nil,
            parts.query == nil, parts.fragment == nil
        else { throw unusable("It needs a scheme and a host, and nothing but a path beside them.") }
        let isLocal = ["localhost", "127.0.0.1", "[::1]", "::1"].contains(host)
        guard parts.scheme == "https" || (parts.scheme == "http" && (isLocal || configuration.allowsInsecureHTTP))
        else {
            throw unusable("It must begin with https, because tokens are sent to it.")
        }
        var server = configuration.server[...]
        while server.hasSuffix("/") { server = server.dropLast() }
        return String(server)
    }

    private static func unusable(_ rule: String) -> FleetEngineError {
        FleetEngineError(.invalidArgument, "Fleet Engine's URL is not usable. \(rule)")
    }

    /// Returns whether a text can be an ID: Google's rule, without `.` and `..`, which would change the path.
    private static func isID(_ text: String) -> Bool {
        (1...64).contains(text.unicodeScalars.count) && text != "." && text != ".."
            && !text.utf8.contains { "/:?,#".utf8.contains($0) }
    }

    /// Returns a text with all but unreserved characters percent-encoded.
    private static func encoded(_ text: String) -> String {
        let unreserved = CharacterSet(
            charactersIn: "-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
        )
        return text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
    }
}
