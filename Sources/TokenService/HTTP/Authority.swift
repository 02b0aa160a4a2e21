import FleetToken
import ServiceSupport

/// The host and port that a request is for (RFC 9110 section 7.2), as `Host` or a URI has them.
enum Authority {
    /// Returns whether a text is `host[:port]`; the host may be empty (RFC 9112 section 3.2).
    static func isValid(_ text: String) -> Bool {
        var host = text.utf8[...]
        if let colon = host.lastIndex(of: UInt8(ascii: ":")), host[colon...].dropFirst().allSatisfy({ $0.isASCIIDigit })
        {
            host = host[..<colon]
        }
        guard host.first == UInt8(ascii: "["), host.last == UInt8(ascii: "]") else {
            // The bytes of a registered name (RFC 3986 section 3.2.2).
            return host.allSatisfy { $0.isASCIILetterOrDigit || "-._~%!$&'()*+,;=".utf8.contains($0) }
        }
        let address = host.dropFirst().dropLast()
        return address.contains(UInt8(ascii: ":"))
            && AddressRange.bytes(of: String(Substring(address))) != nil
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
