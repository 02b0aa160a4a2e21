import FleetToken
import HTTPTypes

/// Which names the service answers to.
///
/// A page anywhere on the web can point its own name at this machine and then read what a service without callers
/// answers. Its requests carry that name, so in development only the machine's own names are answered.
struct HostPolicy: Sendable {
    /// The names without port; nil answers to all.
    let names: [String]?

    /// All names: for a service that knows its callers.
    static let any = Self(names: nil)

    /// This machine's names; 10.0.2.2 is what the Android emulator calls it.
    static let development = Self(names: ["localhost", "127.0.0.1", "[::1]", "10.0.2.2"])

    /// Checks a request's `Host`.
    func check(_ request: HTTPRequest) throws(TokenError) {
        guard request.headerFields[values: .host].isEmpty else {
            throw TokenError(.malformedRequest, "The request has more than one Host.")
        }
        guard allows(authority: request.authority ?? "") else {
            throw TokenError(
                .hostNotAllowed,
                "In development the service answers to localhost, 127.0.0.1, [::1] and 10.0.2.2 only; use one of these in the URL."
            )
        }
    }

    /// Whether a name, with or without a port, is one of them.
    func allows(authority: String) -> Bool {
        guard let names else { return true }
        // Names of hosts are the same in capitals (RFC 9110 section 4.2.3).
        let bytes = authority.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
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
