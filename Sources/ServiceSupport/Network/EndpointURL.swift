import FleetToken

/// The URL of a server that the service sends requests to, read on its bytes (RFC 3986).
///
/// A URL that two parsers could read differently is refused: no user, no password, no fragment, no backslash, and no
/// character that a URL cannot have.
package struct EndpointURL: Hashable, Sendable {
    /// Why a text is not an endpoint URL.
    package enum Problem: Error {
        /// It is not an absolute URL with a host.
        case notAURL
        case userOrFragment
    }

    /// The longest URL that is read, in bytes.
    package static let maximumSize = 2048

    /// The URL as it was written.
    package let text: String
    /// The scheme in lower case.
    package let scheme: String
    /// The host; an IPv6 address without its brackets.
    package let host: String
    /// The port, if any.
    package let port: UInt16?

    /// Whether the host is a name; certificates have names.
    package var hasName: Bool { Self.isName(host) }

    package var isLoopback: Bool { ListenAddress(host: host.lowercased(), port: 0).isLoopback }

    /// Whether no other machine can read or change what is sent: `https`, or `http` on this machine.
    package var isProtected: Bool { scheme == "https" || scheme == "http" && isLoopback }

    package init(_ text: String) throws(Problem) {
        let bytes = Array(text.utf8)
        guard bytes.count <= Self.maximumSize, let colon = bytes.firstRange(of: Array("://".utf8)) else {
            throw .notAURL
        }
        let rest = bytes[colon.upperBound...]
        guard rest.allSatisfy({ Self.isURLCharacter($0) || "#[]".utf8.contains($0) }) else { throw .notAURL }
        guard !rest.contains(UInt8(ascii: "#")) else { throw .userOrFragment }
        let authority = rest.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
        guard !authority.contains(UInt8(ascii: "@")) else { throw .userOrFragment }
        let tail = rest[authority.endIndex...]
        guard tail.allSatisfy(Self.isURLCharacter), authority.last != UInt8(ascii: ":"),
            let (host, port) = Self.split(authority), port != 0
        else { throw .notAURL }
        self.text = text
        scheme = String(decoding: bytes[..<colon.lowerBound].lowercasedASCII, as: UTF8.self)
        self.host = host
        self.port = port
    }

    /// Returns the host and the port of `HOST`, `HOST:` or `HOST:PORT`, with an IPv6 address in brackets; nil if they are
    /// invalid.
    package static func split(_ authority: some Collection<UInt8>) -> (host: String, port: UInt16?)? {
        let authority = Array(authority)
        var host = authority[...]
        var port: UInt16?
        if let colon = authority.lastIndex(of: UInt8(ascii: ":")), authority.last != UInt8(ascii: "]") {
            let digits = authority[colon...].dropFirst()
            port = UInt16(String(decoding: digits, as: UTF8.self))
            guard digits.allSatisfy(\.isASCIIDigit), digits.isEmpty || port != nil else { return nil }
            host = authority[..<colon]
        }
        if host.first == UInt8(ascii: "["), host.last == UInt8(ascii: "]") {
            host = host.dropFirst().dropLast()
            let text = String(decoding: host, as: UTF8.self)
            guard host.contains(UInt8(ascii: ":")), AddressRange.bytes(of: text) != nil else { return nil }
            return (text, port)
        }
        let text = String(decoding: host, as: UTF8.self)
        return !host.isEmpty && host.allSatisfy(isNameCharacter) ? (text, port) : nil
    }

    /// Returns whether a host consists of labels of letters, digits and hyphens.
    ///
    /// A last one that begins with a digit would be an unusual spelling of an IP address.
    static func isName(_ host: String) -> Bool {
        let labels = host.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard host.utf8.count <= 253, let first = labels.last?.first, !first.isASCIIDigit else { return false }
        return labels.allSatisfy { label in
            (1...63).contains(label.count) && label.allSatisfy { $0.isASCIILetterOrDigit || $0 == UInt8(ascii: "-") }
        }
    }

    /// Returns whether a byte is valid in an IPv4 address or in a name: an unreserved character (RFC 3986 section 2.3).
    private static func isNameCharacter(_ byte: UInt8) -> Bool {
        byte.isASCIILetterOrDigit || "-._~".utf8.contains(byte)
    }

    /// Returns whether a byte is an unreserved character or a delimiter (RFC 3986 section 2), except `#` and brackets.
    private static func isURLCharacter(_ byte: UInt8) -> Bool {
        byte.isASCIILetterOrDigit || "-._~:/?@!$&'()*+,;=%".utf8.contains(byte)
    }
}
