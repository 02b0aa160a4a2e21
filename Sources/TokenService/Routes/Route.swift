import FleetToken
import HTTPTypes
import NIOCore
import TokenIssuance

/// The route of a request on the public listener.
enum Route {
    case token(RoutedRequest)
    /// Whether requests may be sent here.
    case health
    /// The page for developers.
    case page
    /// The public keys.
    case keys
    /// A preflight request for the supported methods.
    case options(allowed: String)

    /// Its name in logs and metrics, which no ID ever reaches.
    var label: HTTPMetrics.RouteLabel {
        switch self {
        case .token(let routed): routed.kind.map { $0.isPrivileged ? .tokenOfKind : .tokenByID } ?? .token
        case .keys: .jwks
        case .health: .health
        case .page, .options: .other
        }
    }

    /// Creates the route of a request, for a service with or without a page.
    ///
    /// - Throws: ``TokenError`` or ``Refusal`` if there is none.
    init(_ request: Request, hasPage: Bool) throws {
        let target = try RequestTarget(request.call.head.path ?? "")
        switch target.segments.first {
        case "token": self = try Self.token(request, target)
        case "health" where target.segments.count == 1: self = try Self.reading(.health, request, target)
        case "" where hasPage && target.segments.count == 1: self = try Self.reading(.page, request, target)
        case ".well-known" where target.segments.dropFirst().elementsEqual(["jwks.json"]):
            self = try Self.reading(.keys, request, target)
        default: throw TokenError.unknownPath
        }
    }

    /// Returns a route that is only read, and has no parameters.
    private static func reading(_ route: Route, _ request: Request, _ target: RequestTarget) throws -> Route {
        try only("GET, HEAD, OPTIONS", method: request.call.head.method) { method in
            guard method == .get || method == .head else { return nil }
            // They would be ignored.
            guard target.parameters.isEmpty else { throw TokenError.unexpectedQuery }
            return route
        }
    }

    private static func token(_ request: Request, _ target: RequestTarget) throws -> Route {
        let method = request.call.head.method
        var segments = target.segments.dropFirst()
        func inPath(_ kind: TokenKind, id: String? = nil) -> Route {
            .token(RoutedRequest(kind: kind, id: id, parameters: target.parameters))
        }
        func inBody(_ kind: TokenKind?) -> Route {
            .token(RoutedRequest(kind: kind, parameters: target.parameters) { Array(buffer: request.body) })
        }
        guard let name = segments.popFirst(), !(name.isEmpty && segments.isEmpty) else {
            return try only("POST, OPTIONS", method: method) { $0 == .post ? inBody(nil) : nil }
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
            return try only("GET, OPTIONS", method: method) { $0 == .get ? inPath(kind, id: id) : nil }
        }
        return try only("GET, POST, OPTIONS", method: method) { method in
            switch method {
            case .get: inPath(kind)
            case .post: inBody(kind)
            default: nil
            }
        }
    }

    private static func only(
        _ allowed: String,
        method: HTTPRequest.Method,
        route: (HTTPRequest.Method) throws -> Route?
    ) throws -> Route {
        if method == .options { return .options(allowed: allowed) }
        guard let route = try route(method) else { throw Refusal.methodNotAllowed(allowed: allowed) }
        return route
    }
}

extension TokenError {
    /// There is no such path.
    static let unknownPath = Self(.notFound, "Not found. Request tokens at /token/{kind}/{id}.")
}
