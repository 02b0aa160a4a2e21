package import HTTPTypes
import NIOCore
package import ServiceSupport

/// The other end of a connection.
package final class Peer: Sendable {
    /// The address in its canonical form; `unknown` if there is none.
    let address: String
    /// The address's bytes, 4 or 16.
    let bytes: [UInt8]?

    init(_ address: SocketAddress?) {
        let text = address?.ipAddress
        bytes = text.flatMap(AddressRange.bytes)
        self.address = bytes.map(AddressRange.text) ?? text ?? "unknown"
    }
}

extension Peer {
    /// Returns its address or, behind trusted proxies, the last address in `X-Forwarded-For` that is not one of them.
    ///
    /// Reads from the right, because everything to the left of a trusted proxy's entry can be forged.
    package func client(behind proxies: [AddressRange], _ headers: HTTPFields) -> String {
        guard isTrusted(by: proxies) else { return address }
        var address = address
        // By bytes: some scalars join the comma behind them into one character.
        let hops = headers[values: .xForwardedFor]
            .flatMap { $0.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) }
        for hop in hops.reversed() {
            // An invalid hop is not trustworthy, nor are the hops to its left.
            guard let hopAddress = Self.address(Self.trimmed(hop)) else { break }
            address = AddressRange.text(of: hopAddress)
            guard proxies.contains(hopAddress) else { break }
        }
        return address
    }

    /// Returns whether it is a trusted proxy.
    package func isTrusted(by proxies: [AddressRange]) -> Bool { bytes.map { proxies.contains($0) } ?? false }

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
