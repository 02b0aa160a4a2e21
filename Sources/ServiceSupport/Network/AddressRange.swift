/// A range of addresses in CIDR notation, such as `10.0.0.0/8`.
package struct AddressRange: Sendable, Hashable {
    /// The address, 4 or 16 bytes.
    package let address: [UInt8]
    /// The length of the prefix in bits.
    package let prefix: Int

    /// Creates a range by parsing `10.0.0.0/8`, or a single address.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first, let address = Self.bytes(of: String(first)) else { return nil }
        let bits = address.count * 8
        guard parts.count == 2 else {
            self.address = address
            prefix = bits
            return
        }
        guard let prefix = Int(parts[1]), (0...bits).contains(prefix), String(prefix) == parts[1] else { return nil }
        self.address = address
        self.prefix = prefix
    }

    /// The range as it should be written, with zeros behind the prefix.
    package var description: String {
        let bits = address.enumerated().map { index, byte in
            let kept = min(max(prefix - index * 8, 0), 8)
            return byte & ~UInt8(truncatingIfNeeded: 0xFF >> kept)
        }
        return "\(Self.text(of: bits))/\(prefix)"
    }

    package func contains(_ other: [UInt8]) -> Bool {
        guard other.count == address.count else { return false }
        for bit in 0..<prefix {
            let mask = UInt8(0x80) >> UInt8(bit % 8)
            if address[bit / 8] & mask != other[bit / 8] & mask { return false }
        }
        return true
    }

    /// Returns the bytes of a numeric address; for an IPv4-mapped IPv6 address, the four IPv4 bytes.
    package static func bytes(of text: String) -> [UInt8]? {
        // C functions would stop at a NUL.
        guard !text.utf8.contains(0) else { return nil }
        var bytes = [UInt8](repeating: 0, count: 4)
        if inet_pton(AF_INET, text, &bytes) == 1 { return bytes }
        bytes = [UInt8](repeating: 0, count: 16)
        guard inet_pton(AF_INET6, text, &bytes) == 1 else { return nil }
        let mapped: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]
        return bytes.starts(with: mapped) ? Array(bytes[12...]) : bytes
    }

    /// Returns the addresses that one host controls: an IPv4 address itself, or the first 64 bits of an IPv6 address.
    package static func network(of address: String) -> String {
        guard let bytes = bytes(of: address) else { return address }
        return text(of: bytes.count == 4 ? bytes : bytes[..<8] + [UInt8](repeating: 0, count: 8))
    }

    /// Returns the larger network of an address, which one client may control: the /24 of an IPv4 address, or the /48 of
    /// an IPv6 address.
    package static func region(of address: String) -> String {
        guard let bytes = bytes(of: address) else { return address }
        let (kept, suffix) = bytes.count == 4 ? (3, "/24") : (6, "/48")
        return text(of: bytes[..<kept] + [UInt8](repeating: 0, count: bytes.count - kept)) + suffix
    }

    /// Returns the canonical text of an address, so that equal addresses give equal keys.
    package static func text(of bytes: [UInt8]) -> String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let family = bytes.count == 4 ? AF_INET : AF_INET6
        guard inet_ntop(family, bytes, &text, socklen_t(text.count)) != nil else { return "" }
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

extension [AddressRange] {
    /// Returns whether an address, 4 or 16 bytes, is in one of them.
    package func contains(_ address: [UInt8]) -> Bool { contains { $0.contains(address) } }
}

/// An address and the larger network that it is in, as the keys of what is counted by client.
package struct ClientNetwork: Sendable, Hashable {
    /// The addresses that one host controls: an IPv4 address, or an IPv6 /64.
    package let address: String
    /// The larger network, which one client may control: an IPv4 /24, or an IPv6 /48.
    package let region: String

    package init(of address: String) {
        self.address = AddressRange.network(of: address)
        region = AddressRange.region(of: address)
    }
}

/// Counts what clients hold, with bounds for all together, for each address and for each larger network.
///
/// Addresses are cheap by the larger network, so that a bound by address alone is none.
package struct NetworkCounts: Sendable {
    /// The maximum for all together, for an address, and for a larger network.
    package let maximum, maximumPerAddress, maximumPerRegion: Int
    /// How much all clients hold together.
    package private(set) var total = 0
    private var byAddress: [String: Int] = [:]
    private var byRegion: [String: Int] = [:]

    /// Creates counts; a larger network may have as much as two addresses.
    package init(maximum: Int, perAddress: Int) {
        self.maximum = maximum
        maximumPerAddress = perAddress
        maximumPerRegion = 2 * perAddress
    }

    /// Returns whether a client may hold more.
    package func hasRoom(for client: ClientNetwork) -> Bool {
        total < maximum && byAddress[client.address, default: 0] < maximumPerAddress
            && byRegion[client.region, default: 0] < maximumPerRegion
    }

    /// Counts one more.
    package mutating func add(_ client: ClientNetwork) {
        total += 1
        byAddress[client.address, default: 0] += 1
        byRegion[client.region, default: 0] += 1
    }

    /// Counts one less.
    package mutating func remove(_ client: ClientNetwork) {
        total -= 1
        byAddress.decrement(client.address)
        byRegion.decrement(client.region)
    }
}

extension [String: Int] {
    /// Counts one less; keys without a count are not kept.
    package mutating func decrement(_ key: String) {
        let count = self[key, default: 1] - 1
        self[key] = count > 0 ? count : nil
    }
}
