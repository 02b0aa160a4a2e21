package import HTTPTypes
import NIOCore
package import ServiceSupport

/// The address that a request came from, as far as it is trustworthy.
package struct ClientAddress: Sendable {
    let trustedProxies: [AddressRange]

    /// Creates a rule that trusts these proxies.
    package init(trustedProxies: [AddressRange]) {
        self.trustedProxies = trustedProxies
    }

    /// Returns the peer's address or, behind trusted proxies, the last address in `X-Forwarded-For` that is not one of
    /// them.
    ///
    /// Reads from the right, because everything to the left of a trusted proxy's entry can be forged.
    package func of(_ peer: Peer, headers: HTTPFields) -> String {
        guard isTrusted(peer) else { return peer.address }
        var address = peer.address
        // By bytes: some scalars join the comma behind them into one character.
        let hops = headers[values: .xForwardedFor]
            .flatMap { $0.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) }
        for hop in hops.reversed() {
            // An invalid hop is not trustworthy, nor are the hops to its left.
            guard let hopAddress = Self.address(Self.trimmed(hop)) else { break }
            address = AddressRange.text(of: hopAddress)
            guard isTrusted(hopAddress) else { break }
        }
        return address
    }

    /// Returns whether a connection is from a trusted proxy.
    package func isTrusted(_ peer: Peer) -> Bool {
        peer.bytes.map(isTrusted) ?? false
    }

    /// Returns whether an address, 4 or 16 bytes, is a trusted proxy.
    func isTrusted(_ address: [UInt8]) -> Bool {
        trustedProxies.contains { $0.contains(address) }
    }

    /// Returns a hop's address: plain, in brackets, or with a port, as some proxies send it.
    private static func address(_ hop: String) -> [UInt8]? {
        if let address = AddressRange.bytes(of: hop) { return address }
        return (ListenAddress(hop) ?? ListenAddress(hop + ":0")).flatMap { AddressRange.bytes(of: $0.host) }
    }

    private static func trimmed(_ hop: Substring.UTF8View) -> String {
        let isSpace = { (byte: UInt8) in byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        let end = hop.lastIndex { !isSpace($0) }
        return end.map { String(decoding: hop[...$0].drop(while: isSpace), as: UTF8.self) } ?? ""
    }
}

extension HTTPField.Name {
    // swift-format-ignore: NeverForceUnwrap
    package static let xForwardedFor = Self("X-Forwarded-For")!
}
