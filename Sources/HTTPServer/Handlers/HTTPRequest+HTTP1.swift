import HTTPTypes
import NIOHTTP1
import NIOHTTPTypesHTTP1
import ServiceSupport
import StrictCoding

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

/// The host and port that a request is for (RFC 9110 section 7.2), as `Host` or a URI has them.
enum Authority {
    /// Returns whether a text is `host[:port]`; the host may be empty (RFC 9112 section 3.2).
    static func isValid(_ text: String) -> Bool {
        text.utf8.withContiguousStorageIfAvailable { isValid($0) } ?? Array(text.utf8).withUnsafeBufferPointer(isValid)
    }

    private static func isValid(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        var host = text[...]
        if let colon = host.lastIndex(of: UInt8(ascii: ":")), host[(colon + 1)...].allSatisfy({ $0.isASCIIDigit }) {
            host = host[..<colon]
        }
        guard host.first == UInt8(ascii: "["), host.last == UInt8(ascii: "]") else {
            // The bytes of a registered name (RFC 3986 section 3.2.2).
            return host.allSatisfy { $0.isASCIILetterOrDigit || "-._~%!$&'()*+,;=".utf8.contains($0) }
        }
        let address = host.dropFirst().dropLast()
        return address.contains(UInt8(ascii: ":"))
            && AddressRange.bytes(of: String(decoding: address, as: UTF8.self)) != nil
    }

    /// Splits a URI into its authority and the equivalent origin-form target (RFC 9112 section 3.2.2).
    ///
    /// - Returns: Nil if it is not an HTTP URI, or has no valid authority with a host.
    static func split(_ uri: String) -> (authority: String, path: String)? {
        let bytes = Array(uri.utf8)
        let schemes = ["http://", "https://"]
        guard let scheme = schemes.first(where: { bytes.lowercasedASCII.starts(with: $0.utf8) }) else { return nil }
        let rest = bytes.dropFirst(scheme.utf8.count)
        let end = rest.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") } ?? rest.endIndex
        let authority = String(decoding: rest[..<end], as: UTF8.self)
        guard let first = authority.utf8.first, first != UInt8(ascii: ":"), isValid(authority) else { return nil }
        let path = String(decoding: rest[end...], as: UTF8.self)
        return (authority, path.utf8.first == UInt8(ascii: "/") ? path : "/" + path)
    }
}
