import HTTPTypes
import NIOCore

/// The address that a request came from, as far as it can be believed.
struct ClientAddress: Sendable {
    /// The proxies whose word is taken.
    let trustedProxies: [AddressRange]

    /// The peer's address; behind trusted proxies, the last address in `X-Forwarded-For` that is not one of them.
    ///
    /// Reading from the right, since everything to the left of what a trusted proxy added can be made up.
    func of(peer: SocketAddress?, headers: HTTPFields) -> String {
        guard let peer = peer?.ipAddress else { return "unknown" }
        guard isTrusted(peer) else { return peer }
        let hops = headers[values: .xForwardedFor]
            .flatMap { $0.split(separator: ",", omittingEmptySubsequences: false) }
            .map { $0.trimming { $0 == " " || $0 == "\t" } }
        var address = peer
        for hop in hops.reversed() {
            // A hop that is no address cannot be believed, nor what stands left of it.
            guard let hopAddress = AddressRange.bytes(of: String(hop)) else { break }
            address = AddressRange.text(of: hopAddress)
            guard isTrusted(address) else { break }
        }
        return address
    }

    /// Whether an address is one of the proxies.
    func isTrusted(_ address: String) -> Bool {
        guard let bytes = AddressRange.bytes(of: address) else { return false }
        return trustedProxies.contains { $0.contains(bytes) }
    }
}

extension Substring {
    fileprivate func trimming(_ isSpace: (Character) -> Bool) -> Substring {
        var text = drop(while: isSpace)
        while let last = text.last, isSpace(last) { text.removeLast() }
        return text
    }
}

extension HTTPField.Name {
    // swift-format-ignore: NeverForceUnwrap
    static let xForwardedFor = Self("X-Forwarded-For")!
}
