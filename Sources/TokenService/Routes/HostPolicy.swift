import FleetToken
import HTTPServer
import HTTPTypes
import ServiceConfiguration
import StrictCoding

/// Which names a listener answers to.
///
/// A page anywhere on the web can point its own name at this machine and then read what a service answers that asks for
/// no credentials. Its requests carry that name, so such a listener answers to the machine's own names only.
struct HostPolicy: Sendable {
    /// The names without port; nil answers to all.
    let names: [String]?

    /// All names: for a service that knows its callers.
    static let any = Self(names: nil)

    /// This machine's names.
    static let thisMachine = Self(names: ["localhost", "127.0.0.1", "[::1]"])

    /// This machine's names, and 10.0.2.2, which is what the Android emulator calls it.
    ///
    /// Elsewhere 10.0.2.2 may be another machine. It names no page that may read answers, see ``CORSPolicy``.
    static let development = Self(names: ["localhost", "127.0.0.1", "[::1]", "10.0.2.2"])

    /// The admin listener's: where only this machine can reach it, this machine's names, and no name at all.
    ///
    /// Probes of HTTP/1.0 have none, and every browser has one.
    /// Anywhere else it is asked by a pod's address or a service's name, which nobody here knows.
    static func admin(_ address: ListenAddress) -> Self {
        guard address.isLoopback else { return .any }
        let host = ListenAddress(host: address.host, port: 0).description.dropLast(2)
        let own = thisMachine.allows(authority: String(host)) ? [] : [String(host)]
        return Self(names: (thisMachine.names ?? []) + own + [""])
    }

    /// Checks whom a request is for.
    ///
    /// HTTP/1.1 has checked its own. In HTTP/2 a `Host` may be there instead of `:authority`, or beside it where both are
    /// the same (RFC 9113 section 8.3.1).
    func check(_ request: HTTPRequest) throws(TokenError) {
        let hosts = request.headerFields[values: .host]
        guard hosts.count <= 1, let authority = request.authority ?? hosts.first, Authority.isValid(authority),
            hosts.first.map({ Authority.areEqual($0, authority) }) ?? true
        else {
            throw TokenError(
                .malformedRequest,
                "The request has no Host, more than one, one that is not well-formed, or another one than its :authority."
            )
        }
        guard allows(authority: authority) else {
            let names = (names ?? []).filter { !$0.isEmpty }.joined(separator: ", ")
            throw TokenError(.hostNotAllowed, "This listener answers to \(names) only; use one of these in the URL.")
        }
    }

    /// Whether a name, with or without a port, is one of them.
    func allows(authority: String) -> Bool {
        guard let names else { return true }
        // Names of hosts are the same in capitals (RFC 9110 section 4.2.3).
        let bytes = authority.utf8.lowercasedASCII
        return names.contains { name in
            guard bytes.starts(with: name.utf8) else { return false }
            let rest = bytes.dropFirst(name.utf8.count)
            return rest.isEmpty || (rest.first == UInt8(ascii: ":") && Self.isPort(rest.dropFirst()))
        }
    }

    private static func isPort(_ text: ArraySlice<UInt8>) -> Bool {
        (1...5).contains(text.count) && text.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
}
