package import HTTPTypes
import NIOCore
package import ServiceConfiguration

/// The address that a request came from, as far as it can be believed.
package struct ClientAddress: Sendable {
    /// The proxies whose word is taken.
    let trustedProxies: [AddressRange]

    /// Creates a rule that trusts these proxies.
    package init(trustedProxies: [AddressRange]) {
        self.trustedProxies = trustedProxies
    }

    /// The peer's address; behind trusted proxies, the last address in `X-Forwarded-For` that is not one of them.
    ///
    /// Reading from the right, since everything to the left of what a trusted proxy added can be made up.
    package func of(_ peer: Peer, headers: HTTPFields) -> String {
        guard isTrusted(peer) else { return peer.address }
        var address = peer.address
        // By bytes: some scalars join the comma behind them into one character.
        let hops = headers[values: .xForwardedFor]
            .flatMap { $0.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) }
        for hop in hops.reversed() {
            // A hop that is no address cannot be believed, nor what stands left of it.
            guard let hopAddress = Self.address(Self.trimmed(hop)) else { break }
            address = AddressRange.text(of: hopAddress)
            guard isTrusted(hopAddress) else { break }
        }
        return address
    }

    /// Whether a connection is a proxy's.
    package func isTrusted(_ peer: Peer) -> Bool {
        peer.bytes.map(isTrusted) ?? false
    }

    /// Whether an address, 4 or 16 bytes, is one of the proxies.
    func isTrusted(_ address: [UInt8]) -> Bool {
        trustedProxies.contains { $0.contains(address) }
    }

    /// A hop's address: alone, in brackets, or with a port, as some proxies write it.
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
