package import Foundation
import StrictCoding

/// The syntax of a header field (RFC 9110 sections 5.5 and 5.6.2).
///
/// Some URL loading systems accept a line break, which would let a value add header fields.
enum HeaderField {
    /// Returns whether the name is a token, and the value visible ASCII with spaces and tabs.
    static func isValid(name: String, value: String) -> Bool {
        !name.utf8.isEmpty && name.utf8.allSatisfy(isTokenByte)
            && value.utf8.allSatisfy { $0.isASCIIPrintable || $0 == 0x09 }
    }

    private static func isTokenByte(_ byte: UInt8) -> Bool {
        byte.isASCIILetterOrDigit || "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
}

/// The URL of a server, to which paths are appended such that no ID can change the destination.
///
/// URLs are built from bytes: the server's own, and segments in which all but RFC 3986's unreserved characters are
/// percent-encoded. Nothing is resolved as a relative reference, which would let `//host` and `../server` through.
package struct ServerURL: Sendable {
    private let text: String

    /// The rule that a URL breaks.
    package struct Problem: Error, Sendable {
        package let rule: String
    }

    /// Creates the URL of a server from an app's setting: `https`, or `http` on this device or if it is allowed.
    package init(_ url: URL, allowsInsecureHTTP: Bool) throws(Problem) {
        guard var parts = URLComponents(url: url, resolvingAgainstBaseURL: true),
            let scheme = parts.scheme?.lowercased(), scheme == "https" || scheme == "http",
            let host = parts.host, !host.isEmpty
        else { throw Problem(rule: "It must be an absolute https URL.") }
        guard parts.user == nil, parts.password == nil, parts.query == nil, parts.fragment == nil else {
            throw Problem(rule: "It may have a path, but no user, query or fragment.")
        }
        guard scheme == "https" || allowsInsecureHTTP || Self.isLoopback(host) else {
            throw Problem(rule: "Use https. With http, credentials and tokens can be intercepted.")
        }
        // FoundationNetworking accepts schemes in lower case only.
        parts.scheme = scheme
        let text = parts.string ?? ""
        self.text = String(decoding: text.utf8.reversed().drop { $0 == UInt8(ascii: "/") }.reversed(), as: UTF8.self)
    }

    private static func isLoopback(_ host: String) -> Bool {
        ["localhost", "127.0.0.1", "::1", "[::1]"].contains(host.lowercased())
    }

    /// Returns the URL of a path and a query, neither of them encoded; nil if a segment is empty, `.` or `..`.
    package func url(segments: [String], query: [(name: String, value: String)] = []) -> URL? {
        guard segments.allSatisfy({ !$0.isEmpty && $0 != "." && $0 != ".." }) else { return nil }
        let path = segments.map { "/" + Self.percentEncoded($0) }.joined()
        let parameters = query.map { "\($0.name)=" + Self.percentEncoded($0.value) }.joined(separator: "&")
        return URL(string: text + path + (parameters.isEmpty ? "" : "?" + parameters))
    }

    private static func percentEncoded(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var output: [UInt8] = []
        for byte in text.utf8 {
            if byte.isASCIILetterOrDigit || "-._~".utf8.contains(byte) {
                output.append(byte)
            } else {
                output += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 0x0F)]]
            }
        }
        return String(decoding: output, as: UTF8.self)
    }
}
