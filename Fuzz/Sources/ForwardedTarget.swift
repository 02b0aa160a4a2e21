import HTTPTypes
import ServiceSupport
import TokenService

/// Of a proxy's `X-Forwarded-For`, what is left of a stranger's address counts for nothing.
@Sendable func fuzzForwarded(_ bytes: [UInt8]) {
    let ranges = ["10.0.0.0/8", "2001:db8::/32"].compactMap { AddressRange($0) }
    let proxies = TrustedProxies(ranges)
    var fields = HTTPFields()
    for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
        fields.append(HTTPField(name: .xForwardedFor, value: String(decoding: line, as: UTF8.self)))
    }
    let address = proxies.client(of: fields, from: "10.0.0.1")
    guard let parsed = AddressRange.bytes(of: address) else { preconditionFailure("It is no address.") }
    precondition(AddressRange.text(of: parsed) == address)
    let network = AddressRange.network(of: address)
    precondition(AddressRange.network(of: network) == network)
    guard !proxies.contains(address) else { return }
    var more = HTTPFields([HTTPField(name: .xForwardedFor, value: "203.0.113.99, 10.0.0.2")])
    more.append(contentsOf: fields)
    precondition(proxies.client(of: more, from: "10.0.0.1") == address)
}
