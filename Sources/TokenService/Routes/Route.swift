import FleetToken
import HTTPServer
import HTTPTypes
import NIOCore
import StrictCoding
import TokenIssuance

/// The route of a request on the public listener.
enum Route {
    case token(UnreadRequest)
    /// Whether requests may be sent here.
    case health
    /// The page for developers.
    case page
    /// The public keys.
    case keys
    /// A preflight request for the supported methods.
    case options(allowed: String)

    /// Its name in logs and metrics, which no ID ever reaches.
    var label: RouteLabel {
        switch self {
        case .token(let unread): unread.kind.map { $0.isPrivileged ? .tokenOfKind : .tokenByID } ?? .token
        case .keys: .jwks
        case .health: .health
        case .page, .options: .other
        }
    }

    /// Creates the route of a request.
    ///
    /// - Throws: ``TokenError`` or ``Refusal`` if there is none.
    init(_ request: Request) throws {
        let target = try RequestTarget(request.head.path ?? "")
        switch target.segments.first {
        case "token": self = try Self.token(request, target)
        case "health" where target.segments.count == 1: self = try Self.reading(.health, request, target)
        case "" where request.head.path == "/" && [.get, .head].contains(request.head.method): self = .page
        case ".well-known" where target.segments.dropFirst().elementsEqual(["jwks.json"]):
            self = try Self.reading(.keys, request, target)
        default: throw TokenError.unknownPath
        }
    }

    /// Returns a route that is only read, and has no parameters.
    private static func reading(_ route: Route, _ request: Request, _ target: RequestTarget) throws -> Route {
        try only("GET, HEAD, OPTIONS", method: request.head.method) { method in
            guard method == .get || method == .head else { return nil }
            // They would be ignored.
            guard target.parameters.isEmpty else { throw TokenError.unexpectedQuery }
            return route
        }
    }

    private static func token(_ request: Request, _ target: RequestTarget) throws -> Route {
        let method = request.head.method
        var segments = target.segments.dropFirst()
        func inPath(_ kind: TokenKind, id: String? = nil) -> Route {
            .token(UnreadRequest(kind: kind, id: id, parameters: target.parameters))
        }
        func inBody(_ kind: TokenKind?) -> Route {
            .token(UnreadRequest(kind: kind, parameters: target.parameters) { Array(buffer: request.body) })
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

/// A request's path and query, split first and then percent-decoded exactly once, so that decoded characters cannot
/// change segments and parameters.
struct RequestTarget {
    /// The most bytes a target may have, as sent.
    static let maximumSize = 2048

    /// The path's segments; a trailing slash gives an empty last segment.
    let segments: [String]
    /// The query's parameters in the order they were sent.
    let parameters: [(name: String, value: String)]

    /// Creates a target by parsing it.
    ///
    /// - Throws: ``TokenError`` if it is too long or malformed.
    init(_ target: String) throws(TokenError) {
        var target = target
        self = try target.withUTF8 { bytes in
            Result { () throws(TokenError) in try Self(bytes) }
        }.get()
    }

    private init(_ bytes: UnsafeBufferPointer<UInt8>) throws(TokenError) {
        guard bytes.count <= Self.maximumSize else {
            throw TokenError(
                .targetTooLong,
                "The path and query are longer than 2048 bytes. Send long requests as POST /token."
            )
        }
        guard bytes.first == UInt8(ascii: "/") else {
            throw TokenError(.invalidPath, "The path does not begin with a slash.")
        }
        var segments: [String] = []
        // As many as the longest route has.
        segments.reserveCapacity(3)
        var rest = bytes[...]
        while rest.first == UInt8(ascii: "/") {
            rest = rest.dropFirst()
            let segment = rest.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
            segments.append(try Self.decode(segment))
            rest = rest[segment.endIndex...]
        }
        self.segments = segments
        parameters = try Self.parameters(rest.dropFirst())
    }

    private typealias Bytes = Slice<UnsafeBufferPointer<UInt8>>

    private static func parameters(_ query: Bytes) throws(TokenError) -> [(name: String, value: String)] {
        var parameters: [(name: String, value: String)] = []
        for pair in query.split(separator: UInt8(ascii: "&")) {
            let halves = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            parameters.append((try decode(halves[0]), halves.count == 2 ? try decode(halves[1]) : ""))
        }
        return parameters
    }

    /// Decodes a segment; `+` is literal, because IDs may contain it.
    private static func decode(_ text: Bytes) throws(TokenError) -> String {
        guard text.contains(UInt8(ascii: "%")) else { return String(decoding: text, as: UTF8.self) }
        var decoded: [UInt8] = []
        decoded.reserveCapacity(text.count)
        var rest = text
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                decoded.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(Hexadecimal.value),
                let low = rest.popFirst().flatMap(Hexadecimal.value)
            else {
                throw TokenError(
                    .invalidPath,
                    "A percent sign is not followed by two hexadecimal digits. Encode it as %25."
                )
            }
            decoded.append(high << 4 | low)
        }
        // Decoding repairs invalid UTF-8, so unchanged bytes were valid.
        let string = String(decoding: decoded, as: UTF8.self)
        guard string.utf8.elementsEqual(decoded) else {
            throw TokenError(.invalidPath, "The path or query is not valid UTF-8.")
        }
        return string
    }
}
