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

    /// Returns an address as ``text(of:)`` has it; a text that is no address unchanged.
    package static func canonical(_ address: String) -> String { bytes(of: address).map(text) ?? address }

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
