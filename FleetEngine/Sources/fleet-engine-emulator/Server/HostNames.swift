import FleetToken
import HTTPTypes

/// The host names that a listener accepts, in requests and in the origins of pages.
///
/// Any web page can rebind its own name to this machine's address, and then read what is served without credentials. Its
/// requests carry that name.
struct HostNames: Sendable {
    /// Without a port, in lower case.
    private let names: Set<String>
    /// Whether IP addresses and names without a dot, such as that of a container, are accepted: a page has neither.
    private let acceptsAddresses: Bool

    /// Creates this machine's names, a listener's own, and 10.0.2.2: this machine in the Android emulator.
    init(of address: ListenAddress, allowsOtherMachines: Bool) {
        names = ["localhost", "127.0.0.1", "[::1]", "10.0.2.2", address.authority.lowercased()]
        acceptsAddresses = allowsOtherMachines
    }

    /// Checks that a request is for one of the names, and from a page of one of them if it is from a page; a request without
    /// a name comes from no browser.
    func check(_ request: HTTPRequest) throws(EngineError) {
        if let authority = request.authority, !authority.isEmpty, !allows(authority) {
            throw EngineError(
                .originForeign,
                "The host name \(authority.beginning) is not accepted. Use localhost, or --allow-other-machines."
            )
        }
        if let origin = request.headerFields[.origin], !allows(origin: origin) {
            throw EngineError(.originForeign, "A page of another machine may not use the emulator.")
        }
    }

    /// Returns whether a page's origin is one of the names, with any port.
    private func allows(origin: String) -> Bool {
        guard let scheme = ["http://", "https://"].first(where: origin.hasPrefix) else { return false }
        return allows(String(origin.dropFirst(scheme.count)))
    }

    private func allows(_ authority: String) -> Bool {
        var name = authority[...]
        if let colon = authority.lastIndex(of: ":"), !authority[colon...].contains("]") {
            let port = authority[authority.index(after: colon)...].utf8
            guard (1...5).contains(port.count), port.allSatisfy({ (0x30...0x39).contains($0) }) else { return false }
            name = authority[..<colon]
        }
        guard !names.contains(name.lowercased()) else { return true }
        guard acceptsAddresses else { return false }
        // No domain of a web page ends with a number; an address does.
        let last = name.suffix(from: name.lastIndex(of: ".").map(name.index(after:)) ?? name.startIndex)
        let isAddress = name.hasPrefix("[") || (!last.isEmpty && last.utf8.allSatisfy { (0x30...0x39).contains($0) })
        return isAddress || (!name.isEmpty && !name.contains("."))
    }

    /// Returns the fields of CORS for a response to a page of these names; none for others, and for other clients.
    func headers(for request: HTTPRequest) -> HTTPFields {
        guard let origin = request.headerFields[.origin], allows(origin: origin) else { return [:] }
        var headers: HTTPFields = [.accessControlAllowOrigin: origin, .vary: "Origin"]
        guard request.method == .options else { return headers }
        headers[.accessControlAllowMethods] = "GET, POST, PUT, PATCH, DELETE"
        headers[.accessControlAllowHeaders] =
            request.headerFields[.accessControlRequestHeaders] ?? "authorization, content-type"
        headers[.accessControlMaxAge] = "600"
        return headers
    }
}
