import NIOCore
import NIOPosix

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

    /// The form in a URL: `127.0.0.1:8080`, `[::1]:8080`.
    package var description: String {
        host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]:\(port)" : "\(host):\(port)"
    }
}

extension ListenAddress {
    /// Returns why it is not possible to listen on this address now, and whether another process does; nil if it is.
    package func problem() async -> (text: String, isInUse: Bool)? {
        do {
            let channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                .bind(host: host, port: port)
                .get()
            try? await channel.close()
            return nil
        } catch {
            let isInUse = (error as? IOError)?.errnoCode == EADDRINUSE
            return (problem(error) ?? "Cannot listen on \(self).", isInUse)
        }
    }

    /// Returns the reason and the fix for a failed attempt to listen here; nil for other errors.
    package func problem(_ error: any Error) -> String? {
        switch error {
        case let error as IOError: "Cannot listen on \(self): \(Self.hint(error.errnoCode))"
        case is SocketAddressError: "Cannot listen on \(self): no such host. Use an address of this machine."
        default: nil
        }
    }

    private static func hint(_ code: CInt) -> String {
        switch code {
        case EADDRINUSE: "address already in use. Stop the process that uses it, or choose another port."
        case EADDRNOTAVAIL: "not an address of this machine."
        case EACCES: "permission denied. Ports below 1024 require a privilege; choose a higher port."
        default: "the system returned error \(code)."
        }
    }
}
