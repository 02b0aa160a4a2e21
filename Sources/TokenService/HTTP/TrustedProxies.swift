import FleetToken
package import HTTPTypes
package import ServiceSupport

/// The proxies whose `X-Forwarded-For` says where a request comes from.
package struct TrustedProxies: Sendable {
    private let ranges: [AddressRange]

    package init(_ ranges: [AddressRange]) {
        self.ranges = ranges
    }

    /// Returns whether an address is that of a trusted proxy.
    package func contains(_ address: String) -> Bool {
        AddressRange.bytes(of: address).map { ranges.contains($0) } ?? false
    }

    /// Returns the last address in the `X-Forwarded-For` of a trusted proxy that is not one of them.
    ///
    /// Reads from the right, because everything to the left of a trusted proxy's entry can be forged.
    package func client(of headers: HTTPFields, from proxy: String) -> String {
        var address = proxy
        // By bytes: some scalars join the comma behind them into one character.
        let hops = headers[values: .xForwardedFor]
            .flatMap { $0.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) }
        for hop in hops.reversed() {
            // An invalid hop is not trustworthy, nor are the hops to its left.
            let text = String(decoding: hop.trimming(while: \.isASCIIBlank), as: UTF8.self)
            guard let hopAddress = Self.address(text) else { break }
            address = AddressRange.text(of: hopAddress)
            guard ranges.contains(hopAddress) else { break }
        }
        return address
    }

    /// Returns a hop's address: plain, in brackets, or with a port, as some proxies send it.
    private static func address(_ hop: String) -> [UInt8]? {
        if let address = AddressRange.bytes(of: hop) { return address }
        return (ListenAddress(hop) ?? ListenAddress(hop + ":0")).flatMap { AddressRange.bytes(of: $0.host) }
    }
}

extension HTTPField.Name {
    // swift-format-ignore: NeverForceUnwrap
    package static let xForwardedFor = Self("X-Forwarded-For")!
}
