import NIOHTTP1
import Testing

@testable import ServiceSupport
@testable import TokenService

/// A request's forwarded addresses count only if a trusted proxy sent them.
struct ClientAddressTests {
    private func address(_ peer: String?, _ forwarded: [String], trusted: [String] = ["10.0.0.0/8", "2001:db8::/32"])
        throws -> String
    {
        let proxies = try trusted.map { try #require(AddressRange($0)) }
        let connection = try ConnectionInMemory(
            from: AddressRange.canonical(peer ?? "unknown"),
            trusting: TrustedProxies(proxies)
        )
        try connection.ask("/", HTTPHeaders(forwarded.map { ("X-Forwarded-For", $0) }))
        return try #require(connection.responder.addresses.first)
    }

    @Test(
        arguments: [
            // Nobody is trusted who is not in the list.
            ("192.0.2.1", ["198.51.100.1"], "192.0.2.1"),
            ("192.0.2.1", [], "192.0.2.1"),
            ("11.0.0.1", ["10.0.0.1"], "11.0.0.1"),
            ("127.0.0.1", ["198.51.100.1"], "127.0.0.1"),
            // The last that no trusted proxy is.
            ("10.0.0.1", ["198.51.100.1"], "198.51.100.1"),
            ("10.0.0.1", ["1.1.1.1, 198.51.100.1"], "198.51.100.1"),
            ("10.0.0.1", ["1.1.1.1, 198.51.100.1, 10.0.0.2"], "198.51.100.1"),
            ("10.0.0.1", ["198.51.100.1", "10.0.0.3, 10.0.0.2"], "198.51.100.1"),
            ("10.0.0.1", ["1.1.1.1", "198.51.100.1"], "198.51.100.1"),
            ("10.0.0.1", ["10.0.0.3,10.0.0.2"], "10.0.0.3"),
            ("10.0.0.1", [], "10.0.0.1"),
            ("10.0.0.1", ["198.51.100.1 \t,\t 10.0.0.2 "], "198.51.100.1"),
            // What is no address is not believed, nor what stands left of it.
            ("10.0.0.1", [""], "10.0.0.1"),
            ("10.0.0.1", ["1.1.1.1,"], "10.0.0.1"),
            ("10.0.0.1", ["1.1.1.1, unknown"], "10.0.0.1"),
            ("10.0.0.1", ["1.1.1.1, unknown, 10.0.0.2"], "10.0.0.2"),
            // Some proxies add the port.
            ("10.0.0.1", ["198.51.100.1:4711"], "198.51.100.1"),
            ("10.0.0.1", ["1.1.1.1, 198.51.100.1:4711, 10.0.0.2:80"], "198.51.100.1"),
            ("10.0.0.1", ["[2001:db9::5]:4711"], "2001:db9::5"),
            ("10.0.0.1", ["[2001:db9::5]"], "2001:db9::5"),
            ("10.0.0.1", ["[2001:db9::5]:"], "10.0.0.1"),
            ("10.0.0.1", ["[2001:db9::5"], "10.0.0.1"),
            ("10.0.0.1", ["[2001:db9::5]:80:80"], "10.0.0.1"),
            ("10.0.0.1", ["[198.51.100.1]:80"], "10.0.0.1"),
            ("10.0.0.1", ["198.51.100.1:"], "10.0.0.1"),
            ("10.0.0.1", ["198.51.100.1:99999"], "10.0.0.1"),
            ("10.0.0.1", ["198.51.100.1:4711x"], "10.0.0.1"),
            ("10.0.0.1", ["1.1.1.1, example.com:80"], "10.0.0.1"),
            ("10.0.0.1", ["1.1.1.1, _hidden, 198.51.100.1"], "198.51.100.1"),
            ("10.0.0.1", ["010.0.0.1"], "10.0.0.1"),
            ("10.0.0.1", ["127.1"], "10.0.0.1"),
            // A scalar that joins the one after it hides no comma.
            ("10.0.0.1", ["1.1.1.1\u{0600}, 198.51.100.1"], "198.51.100.1"),
            ("10.0.0.1", ["1.1.1.1\u{110BD},198.51.100.1"], "198.51.100.1"),
            ("10.0.0.1", ["198.51.100.1,\u{301} 10.0.0.2"], "10.0.0.1"),
            // IPv6, and IPv4 in it.
            ("2001:db8::1", ["2001:DB9:0::5"], "2001:db9::5"),
            ("10.0.0.1", ["::ffff:198.51.100.1"], "198.51.100.1"),
            ("10.0.0.1", ["198.51.100.1, ::ffff:10.0.0.9"], "198.51.100.1"),
            ("::ffff:10.0.0.1", ["198.51.100.1"], "198.51.100.1"),
            ("::ffff:192.0.2.1", ["198.51.100.1"], "192.0.2.1"),
            ("2001:db9::5", ["198.51.100.1"], "2001:db9::5"),
            (nil, ["198.51.100.1"], "unknown"),
        ] as [(String?, [String], String)]
    )
    func `The client address is the last one that a trusted proxy reports`(
        peer: String?,
        forwarded: [String],
        expected: String
    ) throws {
        #expect(try address(peer, forwarded) == expected)
    }

    @Test
    func `Without trusted proxies the client address is the peer's`() throws {
        #expect(try address("10.0.0.1", ["198.51.100.1"], trusted: []) == "10.0.0.1")
    }
}
