/// Where a listener listens.
public struct ListenAddress: Hashable, Sendable, CustomStringConvertible {
    /// A numeric address or a name.
    public let host: String
    /// The port; 0 lets the system choose.
    public let port: Int

    /// An address.
    public init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    /// Reads `HOST:PORT`, with an IPv6 address in brackets.
    public init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
            return nil
        }
        let host = text[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") {
            self.init(host: String(host.dropFirst().dropLast()), port: Int(port))
        } else {
            guard !host.isEmpty, !host.contains(":") else { return nil }
            self.init(host: String(host), port: Int(port))
        }
    }

    /// Whether only this machine can reach it.
    public var isLoopback: Bool {
        host == "localhost" || host == "::1" || Self.isIPv4Loopback(host)
    }

    private static func isIPv4Loopback(_ host: String) -> Bool {
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts.first == "127" && parts.allSatisfy { UInt8($0) != nil && $0.first != "+" }
    }

    /// As it stands in a URL: `127.0.0.1:8080`, `[::1]:8080`.
    public var description: String {
        host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]:\(port)" : "\(host):\(port)"
    }
}
