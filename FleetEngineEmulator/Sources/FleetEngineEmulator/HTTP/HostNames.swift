import HTTPTypes

/// The names that a listener answers to.
///
/// Any web page can rebind its own name to this machine's address, and then read what is served without credentials. Its
/// requests carry that name.
struct HostNames: Sendable {
    /// Without a port, in lower case; nil for all names.
    private let names: Set<String>?

    /// All names, for a listener that other machines may use.
    static let any = Self(names: nil)
    /// This machine's, for the origins of pages.
    static let thisMachine = Self(names: ["localhost", "127.0.0.1", "[::1]"])

    private init(names: Set<String>?) {
        self.names = names
    }

    /// Creates this machine's names and a listener's own, and 10.0.2.2: this machine in the Android emulator.
    init(of address: ListenAddress) {
        names = ["localhost", "127.0.0.1", "[::1]", "10.0.2.2", address.authority.lowercased()]
    }

    /// Returns whether a request is for one of the names; those without a name come from no browser.
    func allows(_ request: HTTPRequest) -> Bool {
        allows(request.authority ?? "", orNone: true)
    }

    /// Returns whether a page's origin is one of the names, with any port.
    func allows(origin: String) -> Bool {
        origin.hasPrefix("http://") && allows(String(origin.dropFirst(7)), orNone: false)
    }

    private func allows(_ authority: String, orNone: Bool) -> Bool {
        guard let names else { return true }
        guard !authority.isEmpty else { return orNone }
        var name = authority[...]
        if let colon = authority.lastIndex(of: ":"), !authority[colon...].contains("]") {
            let port = authority[authority.index(after: colon)...].utf8
            guard (1...5).contains(port.count), port.allSatisfy({ (0x30...0x39).contains($0) }) else { return false }
            name = authority[..<colon]
        }
        return names.contains(name.lowercased())
    }
}
