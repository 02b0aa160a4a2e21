/// The address of a listener.
package struct ListenAddress: Hashable, Sendable, CustomStringConvertible {
    /// A numeric address or a name.
    package let host: String
    /// The port; 0 lets the system choose.
    package let port: Int

    package init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    /// Creates an address by parsing `HOST:PORT`, with an IPv6 address in brackets.
    package init?(_ text: String) {
        guard case (let host, let port?)? = EndpointURL.split(text.utf8),
            AddressRange.bytes(of: host) != nil || EndpointURL.isName(host)
        else { return nil }
        self.init(host: host, port: Int(port))
    }

    /// Creates an address from an option or an environment variable.
    ///
    /// - Throws: ``OperatorError`` if it is not an address.
    package init(setting text: String) throws(OperatorError) {
        guard let address = Self(text) else {
            throw OperatorError("The listen address must be HOST:PORT, such as 0.0.0.0:8080 or [::]:8080.")
        }
        self = address
    }

    /// Whether only this machine can reach it.
    package var isLoopback: Bool {
        guard let address = AddressRange.bytes(of: host) else { return host == "localhost" }
        return address.count == 4 ? address[0] == 127 : address == [UInt8](repeating: 0, count: 15) + [1]
    }

    /// The host as in a URL, where an IPv6 address has brackets: `127.0.0.1`, `[::1]`.
    package var hostInURL: String { host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host }

    /// The form in a URL: `127.0.0.1:8080`, `[::1]:8080`.
    package var description: String { "\(hostInURL):\(port)" }
}
