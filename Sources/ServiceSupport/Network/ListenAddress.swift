import NIOCore
import NIOPosix
import StrictCoding

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
        let bytes = text.utf8
        guard let colon = bytes.lastIndex(of: UInt8(ascii: ":")),
            case let digits = bytes[bytes.index(after: colon)...], digits.allSatisfy(\.isASCIIDigit),
            let port = UInt16(String(decoding: digits, as: UTF8.self))
        else { return nil }
        let host = bytes[..<colon]
        if host.first == UInt8(ascii: "["), host.last == UInt8(ascii: "]") {
            let address = String(decoding: host.dropFirst().dropLast(), as: UTF8.self)
            guard address.utf8.contains(UInt8(ascii: ":")), AddressRange.bytes(of: address) != nil else { return nil }
            self.init(host: address, port: Int(port))
        } else {
            let name = String(decoding: host, as: UTF8.self)
            guard Self.isName(name) || AddressRange.bytes(of: name)?.count == 4 else { return nil }
            self.init(host: name, port: Int(port))
        }
    }

    /// Creates an address from an option or an environment variable.
    ///
    /// - Throws: ``ConfigurationError`` if it is not an address.
    package init(setting text: String) throws(ConfigurationError) {
        guard let address = Self(text) else {
            throw ConfigurationError("The listen address must be HOST:PORT, such as 0.0.0.0:8080 or [::]:8080.")
        }
        self = address
    }

    /// Whether only this machine can reach it.
    package var isLoopback: Bool {
        guard let address = AddressRange.bytes(of: host) else { return host == "localhost" }
        return address.count == 4 ? address[0] == 127 : address == [UInt8](repeating: 0, count: 15) + [1]
    }

    /// Returns whether a host consists of letters, digits and hyphens between dots.
    ///
    /// A last part that is a number would be an unusual spelling of an IP address.
    private static func isName(_ host: String) -> Bool {
        let labels = host.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard let last = labels.last?.first, !last.isASCIIDigit else { return false }
        return labels.allSatisfy { label in
            !label.isEmpty
                && label.allSatisfy { $0.isASCIILetterOrDigit || $0 == UInt8(ascii: "-") }
        }
    }

    /// The form in a URL: `127.0.0.1:8080`, `[::1]:8080`.
    package var description: String {
        host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]:\(port)" : "\(host):\(port)"
    }
}

extension ListenAddress {
    /// Why listening at an address fails.
    package struct Problem: Sendable {
        /// The problem and its solution.
        package let text: String
        /// Whether another process listens there.
        package let isInUse: Bool
    }

    /// Returns why it is not possible to listen on this address now; nil if it is.
    package func problem() async -> Problem? {
        do {
            let channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                .bind(host: host, port: port)
                .get()
            try? await channel.close()
            return nil
        } catch {
            return Problem(
                text: problem(error) ?? "Cannot listen on \(self).",
                isInUse: (error as? IOError)?.errnoCode == EADDRINUSE
            )
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
