package import FleetToken
import HTTPTypes
package import NIOCore
import NIOHTTP1
import NIOHTTPTypesHTTP1
import ServiceSupport
package import TokenIssuance

/// A request of a connection: its call, and the body as far as it is here.
package struct Request: Sendable {
    /// The head, the ID and the client's address.
    package let call: IncomingCall
    /// The body; if it is larger than the maximum, its beginning.
    package var body = ByteBuffer()
    /// Whether its connection ends with the response.
    package var isLast = false
    /// Why it is malformed or incomplete, if it is; the response is this error.
    package var error: TokenError?
}

extension Request {
    /// Whether the body is larger than the maximum.
    var isTooLarge: Bool { body.readableBytes > ConnectionPolicy.maximumBodySize }

    /// Keeps a part of the body, up to one byte more than the maximum.
    mutating func append(_ part: ByteBuffer) {
        var part = part
        let room = ConnectionPolicy.maximumBodySize + 1 - body.readableBytes
        guard var kept = part.readSlice(length: min(room, part.readableBytes)) else { return }
        body.writeBuffer(&kept)
    }
}

extension Request {
    /// Creates a request from its head, after checking its host and framing; the body follows.
    ///
    /// - Throws: ``TokenError`` when it is not well-formed (RFC 9112 sections 3.2 and 6), after which no other request on
    ///   the connection can be trusted to be one.
    init(
        _ head: HTTPRequestHead,
        from address: String,
        behind proxies: TrustedProxies?,
        at start: Int64
    ) throws(TokenError) {
        guard [.http1_0, .http1_1].contains(head.version), let method = HTTPRequest.Method(head.method.rawValue) else {
            throw .malformedHTTP
        }
        try head.checkTransferCodings()
        var (authority, target) = (try head.host(), head.uri)
        if target.utf8.first != UInt8(ascii: "/"), method != .connect, target != "*" {
            // It is in the form for a proxy, and contains what a proxy would put into Host.
            guard let uri = Self.split(target) else { throw .malformedHTTP }
            (authority, target) = (uri.authority, uri.target)
        }
        let fields = HTTPFields(head.headers, splitCookie: false)
        let call = IncomingCall(
            HTTPRequest(method: method, scheme: nil, authority: authority, path: target, headerFields: fields),
            at: start,
            from: proxies?.client(of: fields, from: address) ?? address,
            isTrusted: proxies != nil
        )
        self.init(call: call, isLast: head.isLast)
    }

    /// Returns the authority and the path with the query of an HTTP URI (RFC 9112 section 3.2.2); nil for another text.
    ///
    /// The path and the query are read as those of other requests are.
    private static func split(_ uri: String) -> (authority: String, target: String)? {
        let bytes = Array(uri.utf8)
        let schemes = ["http://", "https://"]
        guard let scheme = schemes.first(where: { bytes.lowercasedASCII.starts(with: $0.utf8) }) else { return nil }
        let rest = bytes.dropFirst(scheme.utf8.count)
        let authority = rest.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
        guard EndpointURL.split(authority) != nil else { return nil }
        let path = String(decoding: rest[authority.endIndex...], as: UTF8.self)
        let target = path.utf8.first == UInt8(ascii: "/") ? path : "/\(path)"
        return (String(decoding: authority, as: UTF8.self), target)
    }

    /// Creates a placeholder for a request whose head is malformed.
    init(unreadFrom address: String, at start: Int64) {
        let head = HTTPRequest(method: .unread, scheme: nil, authority: nil, path: nil)
        self.init(call: IncomingCall(head, at: start, from: address))
    }
}

extension HTTPRequestHead {
    /// Whether the sender waits for 100 Continue before it sends the body (RFC 9110 section 10.1.1).
    var isWaitingToContinue: Bool {
        version == .http1_1 && headers.first(name: "expect")?.lowercased() == "100-continue"
    }

    /// Whether the connection ends after the response (RFC 9110 section 7.6.1).
    ///
    /// Closing it is the only way to end a response for a client of HTTP/1.0. After CONNECT or Upgrade the parser may take
    /// what follows for another protocol, keep all of that, and no further request would get a response.
    fileprivate var isLast: Bool {
        version == .http1_0 || method == .CONNECT || headers.contains(name: "Upgrade")
            || headers["Connection"].contains { field in
                field.utf8.split(separator: UInt8(ascii: ",")).contains { $0.isToken("close") }
            }
    }

    /// Returns the single `Host`, which HTTP/1.0 may omit.
    fileprivate func host() throws(TokenError) -> String {
        let hosts = headers["Host"]
        guard let host = hosts.first else {
            guard version == .http1_0 else { throw .malformedHTTP }
            return ""
        }
        guard hosts.count == 1, host.isEmpty || EndpointURL.split(host.utf8) != nil else { throw .malformedHTTP }
        return host
    }

    /// Refuses a body with an ambiguous end.
    ///
    /// The parser has refused a length beside a coding, and a last coding other than `chunked`.
    fileprivate func checkTransferCodings() throws(TokenError) {
        let fields = headers["Transfer-Encoding"]
        guard !fields.isEmpty else { return }
        let codings = fields.flatMap { $0.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) }
        let isChunked = codings.map { $0.isToken("chunked") }
        guard version == .http1_1, isChunked.last == true, !isChunked.dropLast().contains(true) else {
            throw .malformedHTTP
        }
        guard codings.count == 1 else {
            throw TokenError(.unsupportedCoding, "Unsupported transfer coding. Use chunked.")
        }
    }
}

extension HTTPRequest.Method {
    // swift-format-ignore: NeverForceUnwrap
    fileprivate static let unread = Self("_OTHER")!
}

extension TokenError {
    static let malformedHTTP = Self(.malformedRequest, "Malformed HTTP/1.1 request.")
    static let headTooLarge = Self(
        .headersTooLarge,
        "The request head is larger than 16 KiB or has more than 100 header fields."
    )
    static let notInTime = Self(
        .requestTimeout,
        "Request timeout: the request was not received in time. Send it again."
    )
}
