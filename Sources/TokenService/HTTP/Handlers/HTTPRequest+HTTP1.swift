import FleetToken
import HTTPTypes
import NIOHTTP1
import NIOHTTPTypesHTTP1
import ServiceSupport

extension HTTPRequest {
    /// Creates a request from an HTTP/1.1 or HTTP/1.0 request head, after checking its host and framing.
    ///
    /// - Throws: ``ProtocolError`` when it is not well-formed (RFC 9112 sections 3.2 and 6), after which no other request
    ///   on the connection can be trusted to be one.
    init(checking head: HTTPRequestHead, isSecure: Bool) throws {
        guard [.http1_0, .http1_1].contains(head.version) else { throw ProtocolError.malformed }
        try head.checkTransferCodings()
        let host = try head.host()
        var target = head.uri
        var authority = host
        if target.utf8.first != UInt8(ascii: "/"), head.method != .CONNECT, target != "*" {
            guard let uri = Authority.split(target) else { throw ProtocolError.malformed }
            // It is in the form for a proxy, and contains what a proxy would put into Host.
            (authority, target) = (uri.authority, uri.path)
        }
        self.init(
            method: try Method(head.method),
            scheme: isSecure ? "https" : "http",
            authority: authority,
            path: target,
            headerFields: HTTPFields(head.headers, splitCookie: false)
        )
        // Closing the connection is the only way to end a response for an HTTP/1.0 client.
        if head.version == .http1_0 || head.endsParsing { headerFields[.connection] = "close" }
    }

    /// Whether the sender wants the connection closed after the response (RFC 9110 section 7.6.1).
    var isLast: Bool {
        headerFields[values: .connection].contains { field in
            field.utf8.split(separator: UInt8(ascii: ",")).contains { option in
                option.isToken("close")
            }
        }
    }
}

extension HTTPRequestHead {
    /// Whether the parser may take what follows for another protocol (RFC 9110 sections 7.8 and 9.3.6).
    ///
    /// The parser would keep all of that, and no further request on the connection would get a response.
    fileprivate var endsParsing: Bool { method == .CONNECT || headers.contains(name: "Upgrade") }

    /// Returns the single `Host`, which HTTP/1.0 may omit.
    fileprivate func host() throws(ProtocolError) -> String {
        var hosts = headers.lazy.filter { $0.name.utf8.isEqual(ignoringCase: "host") }.makeIterator()
        guard let host = hosts.next()?.value else {
            guard version == .http1_0 else { throw .malformed }
            return ""
        }
        guard hosts.next() == nil, Authority.isValid(host) else { throw .malformed }
        return host
    }

    /// Refuses a body with an ambiguous end.
    ///
    /// The parser has refused a length beside a coding, and a last coding other than `chunked`.
    fileprivate func checkTransferCodings() throws(ProtocolError) {
        let fields = headers["Transfer-Encoding"]
        guard !fields.isEmpty else { return }
        let codings = fields.flatMap { $0.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) }
        let isChunked = codings.map { $0.isToken("chunked") }
        guard version == .http1_1, isChunked.last == true, !isChunked.dropLast().contains(true) else {
            throw .malformed
        }
        guard codings.count == 1 else {
            throw .unsupportedCoding
        }
    }
}
