import FleetToken
import HTTPServer
import HTTPTypes

/// The route of a request on the public listener.
enum Route {
    /// A token, all of the request in the path and query.
    case tokenByPath(TokenKind, id: String?)
    /// A token, the kind in the path and the rest in the body.
    case tokenByKindAndBody(TokenKind)
    /// A token, all of the request in the body.
    case tokenByBody
    /// The public keys.
    case keys
    /// A preflight request for the supported methods.
    case options(allowed: String)

    /// Its name in logs and metrics, which no ID ever reaches.
    var label: RouteLabel {
        switch self {
        case .tokenByPath(let kind, _): kind.isPrivileged ? .tokenOfKind : .tokenByID
        case .tokenByKindAndBody: .tokenOfKind
        case .tokenByBody: .token
        case .keys: .jwks
        case .options: .other
        }
    }

    init(method: HTTPRequest.Method, target: RequestTarget) throws {
        var segments = target.segments[...]
        switch segments.popFirst() {
        case "token": self = try Self.token(method, segments)
        case ".well-known" where segments.elementsEqual(["jwks.json"]):
            self = try Self.only("GET, HEAD, OPTIONS", method) { method in
                method == .get || method == .head ? .keys : nil
            }
        default: throw TokenError(.notFound, "Not found. Request tokens at /token/{kind}/{id}.")
        }
    }

    private static func token(_ method: HTTPRequest.Method, _ path: ArraySlice<String>) throws -> Route {
        var segments = path
        guard let name = segments.popFirst(), !(name.isEmpty && segments.isEmpty) else {
            return try only("POST, OPTIONS", method) { $0 == .post ? .tokenByBody : nil }
        }
        guard let kind = TokenKind(name: name) else {
            throw TokenError(.unknownKind, "Unknown kind of token. Kinds are \(TokenKind.names).")
        }
        guard segments.count <= 1 else {
            throw TokenError(.invalidID, "The ID contains a slash. IDs must not contain slashes.")
        }
        // With a trailing slash there is an ID that is empty: the same as none.
        let id = segments.first.flatMap { $0.utf8.isEmpty ? nil : $0 }
        guard kind.isPrivileged, id == nil else {
            return try only("GET, OPTIONS", method) { $0 == .get ? .tokenByPath(kind, id: id) : nil }
        }
        return try only("GET, POST, OPTIONS", method) { method in
            switch method {
            case .get: .tokenByPath(kind, id: nil)
            case .post: .tokenByKindAndBody(kind)
            default: nil
            }
        }
    }

    private static func only(
        _ allowed: String,
        _ method: HTTPRequest.Method,
        _ route: (HTTPRequest.Method) -> Route?
    ) throws -> Route {
        if method == .options { return .options(allowed: allowed) }
        guard let route = route(method) else { throw Refusal.methodNotAllowed(allowed: allowed) }
        return route
    }
}
