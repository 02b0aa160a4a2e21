/// Where an issuer publishes its keys: an https URL of a host with a name.
///
/// An address in place of a name is refused, in whatever spelling: certificates have names, and the addresses that are
/// worth tricking a service into asking (a cloud's metadata server, a neighbour) go without.
package struct KeySetURL: Hashable, Sendable {
    /// The URL as it was written.
    package let text: String

    /// Checks a URL.
    ///
    /// - Parameters:
    ///   - text: The URL.
    ///   - allowsLoopback: Whether `http://127.0.0.1` is taken too, for tests.
    /// - Throws: ``ConfigurationError`` that says what to write instead.
    package init(_ text: String, allowsLoopback: Bool = false) throws(ConfigurationError) {
        self.text = text
        let bytes = Array(text.utf8)
        guard bytes.count <= 2048, bytes.allSatisfy(Self.isURLCharacter) else {
            throw ConfigurationError("The URL of a key set is at most 2048 characters of those that URLs may have.")
        }
        if allowsLoopback, let port = bytes.rest(after: "http://127.0.0.1:") {
            guard Self.isPort(port.prefix { $0 != UInt8(ascii: "/") }) else { throw Self.wrongHost }
            return
        }
        guard let rest = bytes.rest(after: "https://") else {
            throw ConfigurationError("The URL of a key set begins with https://.")
        }
        let authority = rest.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
        let parts = authority.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard let host = parts.first, Self.isName(host), parts.count <= 2, parts.dropFirst().allSatisfy(Self.isPort)
        else { throw Self.wrongHost }
    }

    private static let wrongHost = ConfigurationError(
        "The URL of a key set has a host's name, and perhaps a port, behind https://: no user, no password, no address."
    )

    /// Unreserved characters and delimiters (RFC 3986 section 2) but `#`, whose fragment is never sent, and brackets.
    private static func isURLCharacter(_ byte: UInt8) -> Bool {
        isLetterOrDigit(byte) || "-._~:/?@!$&'()*+,;=%".utf8.contains(byte)
    }

    /// Letters, digits and hyphens between dots, the last part beginning with a letter as all top-level domains do.
    private static func isName(_ host: ArraySlice<UInt8>) -> Bool {
        let labels = host.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard host.count <= 253, let first = labels.last?.first, !isDigit(first) else { return false }
        return labels.allSatisfy { label in
            (1...63).contains(label.count) && label.allSatisfy { isLetterOrDigit($0) || $0 == UInt8(ascii: "-") }
        }
    }

    private static func isPort(_ text: ArraySlice<UInt8>) -> Bool {
        text.allSatisfy(isDigit) && UInt16(String(decoding: text, as: UTF8.self)).map { $0 > 0 } ?? false
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}

extension [UInt8] {
    fileprivate func rest(after prefix: String) -> ArraySlice<UInt8>? {
        starts(with: prefix.utf8) ? dropFirst(prefix.utf8.count) : nil
    }
}
