import FleetToken
import Foundation

/// Builds the URLs of requests.
enum EngineURL {
    /// Returns the URL of a request.
    ///
    /// - Throws: ``FleetEngineError`` for a server that tokens must not be sent to, and for IDs that are not sent.
    static func make(
        _ request: EngineRequest,
        provider: String,
        _ configuration: FleetEngine.Configuration
    ) throws(FleetEngineError) -> URL {
        let server = try server(configuration, provider: provider)
        let path = try path([provider] + request.path, action: request.action)
        let query = request.query.map { "\($0.name)=\(encoded($0.value))" }.joined(separator: "&")
        guard let url = URL(string: "\(server)/v1/providers/\(path)\(query.isEmpty ? "" : "?")\(query)") else {
            throw FleetEngineError(.invalidArgument, "The request's path is not usable.")
        }
        return url
    }

    /// Returns the server without slashes at its end.
    private static func server(
        _ configuration: FleetEngine.Configuration,
        provider: String
    ) throws(FleetEngineError) -> String {
        let parts = URLComponents(string: configuration.server)
        guard let parts, let host = parts.host, !host.isEmpty, parts.user == nil, parts.password == nil,
            parts.query == nil, parts.fragment == nil
        else { throw unusable("It needs a scheme and a host, and nothing but a path beside them.") }
        guard !provider.hasPrefix("demo-") || !isGoogle(host) else {
            throw FleetEngineError(
                .invalidArgument,
                "Providers whose ID begins with demo- exist in the emulator only: set its URL, or use your project's ID."
            )
        }
        let isLocal = ["localhost", "127.0.0.1", "[::1]", "::1"].contains(host)
        guard parts.scheme == "https" || (parts.scheme == "http" && (isLocal || configuration.allowsInsecureHTTP))
        else {
            throw unusable("It must begin with https, because tokens are sent to it.")
        }
        var server = configuration.server[...]
        while server.hasSuffix("/") { server = server.dropLast() }
        return String(server)
    }

    /// Returns whether a host is Google's, in each form that leads there.
    private static func isGoogle(_ host: String) -> Bool {
        let labels = host.lowercased().split(separator: ".")
        return labels.suffix(2) == ["googleapis", "com"]
    }

    private static func unusable(_ rule: String) -> FleetEngineError {
        FleetEngineError(.invalidArgument, "Fleet Engine's URL is not usable. \(rule)")
    }

    /// Returns the encoded path of IDs and collections, with an action such as `search` at its end.
    private static func path(_ ids: [String], action: String?) throws(FleetEngineError) -> String {
        do throws(TokenError) {
            for id in ids { _ = try ResourceID(id) }
        } catch {
            throw FleetEngineError(.invalidArgument, "This client does not send the ID. \(error.message)")
        }
        guard let action else { return ids.map(encoded).joined(separator: "/") }
        guard !action.isEmpty, action.utf8.allSatisfy({ (0x61...0x7A).contains($0 | 0x20) }) else {
            throw FleetEngineError(.invalidArgument, "An action has letters only, as in vehicles:search.")
        }
        return ids.map(encoded).joined(separator: "/") + ":" + action
    }

    /// Returns a text with all but unreserved characters percent-encoded.
    private static func encoded(_ text: String) -> String {
        let unreserved = CharacterSet(
            charactersIn: "-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
        )
        return text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
    }
}
