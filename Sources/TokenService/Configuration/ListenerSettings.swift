import ServiceConfiguration
import ServiceSupport
import StrictCoding

/// How many connections the public listener accepts, and how long parts of a request may take.
///
/// They are part of `limits` in the file.
package struct ConnectionLimits: Sendable, Hashable {
    package var connections = 2048
    /// How long a connection may be silent, in seconds.
    package var idle = 60
    /// How long a request may take to arrive whole, in seconds.
    package var receive = 10
    /// The maximum duration of a call, in seconds.
    package var handle = 10

    /// Creates the default.
    package init() {}

    /// Creates the limits by reading the settings that are there.
    init(_ section: ConfigurationSection) {
        func read(_ name: String, _ range: ClosedRange<Int64>, into value: inout Int) {
            if let integer = section[name]?.integer(range) { value = Int(integer) }
        }
        read("connections", 1...1_000_000, into: &connections)
        read("idleSeconds", 1...3600, into: &idle)
        read("receiveSeconds", 1...300, into: &receive)
        read("handleSeconds", 1...300, into: &handle)
    }
}

/// Values of the public listener's settings.
extension ConfigurationValue {
    /// Returns a path on the public listener that is not one for tokens or keys.
    func healthPath() -> String? {
        guard let text = text() else { return nil }
        let bytes = Array(text.utf8)
        let taken = ["/token", "/.well-known"].contains { prefix in
            bytes.starts(with: prefix.utf8)
                && (bytes.count == prefix.utf8.count || bytes[prefix.utf8.count] == UInt8(ascii: "/"))
        }
        guard bytes.first == UInt8(ascii: "/"), bytes.count <= 64, bytes.allSatisfy(Self.isPathByte), !taken else {
            report(
                "must be a path such as /health: at most 64 letters, digits, and / - . _, and not under /token or /.well-known."
            )
            return nil
        }
        return text
    }

    private static func isPathByte(_ byte: UInt8) -> Bool {
        byte.isASCIILetterOrDigit || "/-._".utf8.contains(byte)
    }

    /// Returns a web origin: scheme, host and optionally a port.
    func origin() -> String? {
        guard let text = text() else { return nil }
        let schemes = ["https://", "http://"]
        guard let scheme = schemes.first(where: { text.utf8.starts(with: $0.utf8) }),
            case let host = text.utf8.dropFirst(scheme.utf8.count), !host.isEmpty,
            host.allSatisfy({ Self.isHostByte($0) })
        else {
            report(
                "must be an origin, such as https://ops.example.com: a scheme and a host in lower case, without path and wildcard."
            )
            return nil
        }
        return text
    }

    private static func isHostByte(_ byte: UInt8) -> Bool {
        byte.isASCIISmall || byte.isASCIIDigit || ".-:[]".utf8.contains(byte)
    }

    func proxies() -> AddressRange? {
        guard let text = text() else { return nil }
        guard let range = AddressRange(text) else {
            report("must be an address or a range such as 10.0.0.0/8.")
            return nil
        }
        if range.prefix == 0 {
            report("would trust every client; list the proxies' addresses.")
        } else if AddressRange(range.description) != range {
            report("is an address within a range. Write \(range.description), or the address without a prefix.")
        }
        return range
    }
}
