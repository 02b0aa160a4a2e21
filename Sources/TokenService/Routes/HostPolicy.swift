import FleetToken
import HTTPTypes
import ServiceSupport

/// The host names that a listener accepts.
///
/// Any web page can rebind its own name to this machine's address and then read the responses of a service without
/// credentials. Its requests carry that name, so such a listener accepts only the machine's own names.
struct HostPolicy: Sendable {
    /// The names without port.
    let names: [String]

    static let thisMachine = Self(names: ["localhost", "127.0.0.1", "[::1]"])

    /// This machine's names, and 10.0.2.2, the machine's address in the Android emulator.
    ///
    /// Elsewhere 10.0.2.2 may be another machine. It names no page that may read responses, see `CORSPolicy`.
    static let development = Self(names: ["localhost", "127.0.0.1", "[::1]", "10.0.2.2"])

    /// Returns the policy for the admin listener: on loopback this machine's names, its own address, and requests
    /// without a name.
    ///
    /// HTTP/1.0 probes send no name, but every browser does. On other addresses, clients use a pod's address or a
    /// service's name, which are unknown here, so there is no policy.
    static func admin(_ address: ListenAddress) -> Self? {
        guard address.isLoopback else { return nil }
        let (names, own) = (thisMachine.names, address.hostInURL)
        return Self(names: names + (names.contains(own) ? [] : [own]) + [""])
    }

    /// Refuses a request for another host.
    func check(_ request: HTTPRequest) throws(TokenError) {
        guard !allows(authority: request.authority ?? "") else { return }
        let names = names.filter { !$0.isEmpty }.joined(separator: ", ")
        throw TokenError(.hostNotAllowed, "Host not allowed. Use one of these names in the URL: \(names).")
    }

    /// Returns whether a name, with or without a port, is allowed.
    func allows(authority: String) -> Bool {
        // Names of hosts are the same in capitals (RFC 9110 section 4.2.3).
        let bytes = authority.utf8.lowercasedASCII
        return names.contains { name in
            guard bytes.starts(with: name.utf8) else { return false }
            let rest = bytes.dropFirst(name.utf8.count)
            return rest.isEmpty || (rest.first == UInt8(ascii: ":") && Self.isPort(rest.dropFirst()))
        }
    }

    /// Returns whether a text is a port, which may be empty (RFC 3986 section 3.2.3).
    private static func isPort(_ text: ArraySlice<UInt8>) -> Bool {
        text.count <= 5 && text.allSatisfy(\.isASCIIDigit)
    }
}
