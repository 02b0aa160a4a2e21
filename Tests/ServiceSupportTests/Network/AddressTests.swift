import Testing

@testable import ServiceSupport

struct AddressTests {
    @Test(
        arguments: [
            ("127.0.0.1:8080", "127.0.0.1", 8080, true), ("127.255.0.9:1", "127.255.0.9", 1, true),
            ("[0:0:0:0:0:0:0:1]:80", "0:0:0:0:0:0:0:1", 80, true), ("localhost:0", "localhost", 0, true),
            ("[::1]:65535", "::1", 65535, true),
            ("0.0.0.0:8080", "0.0.0.0", 8080, false), ("[::]:8080", "::", 8080, false),
            ("10.0.0.1:80", "10.0.0.1", 80, false), ("tokend.example.com:443", "tokend.example.com", 443, false),
            ("[2001:db8::1]:443", "2001:db8::1", 443, false), ("[::ffff:127.0.0.1]:80", "::ffff:127.0.0.1", 80, true),
            ("127.0.0.1.example.com:80", "127.0.0.1.example.com", 80, false), ("128.0.0.1:80", "128.0.0.1", 80, false),
            ("localhost.example.com:80", "localhost.example.com", 80, false),
        ]
    )
    func `An address is a host and a port`(text: String, host: String, port: Int, isLoopback: Bool) throws {
        let address = try #require(ListenAddress(text))
        #expect(address.host == host)
        #expect(address.port == port)
        #expect(address.isLoopback == isLoopback)
        #expect(address.description == text)
    }

    @Test(
        arguments: [
            "", ":", ":80", "localhost", "localhost:", "localhost:65536", "localhost:-1", "localhost:+80",
            "localhost: 80",
            "localhost:80 ", " localhost:80", "localhost:٨٠", "localhost:0x50", "localhost:80:80", "::1:80", "[]:80",
            "[:80",
            "[::1]", "[::1:80", "::1]:80", "[localhost]:80", "[127.0.0.1]:80", "[::1%lo]:80", "127.0.0.1\0:80",
            "local\0host:80",
            "loc\u{301}alhost:80", "lo calhost:80", "local/host:80", "user@localhost:80", "*:80", "http://localhost:80",
            "localhost\n:80", "127.0.0.01:80", "127.1:80", "127.0.0.256:80", "1:30", "2130706433:80", "0x7f.0.0.1:80",
        ]
    )
    func `Anything else is no address`(text: String) {
        #expect(ListenAddress(text) == nil)
    }

    @Test(
        arguments: [
            (
                "10.0.0.0/8", ["10.0.0.0", "10.255.255.255", "::ffff:10.1.2.3"],
                ["11.0.0.0", "9.255.255.255", "::10.0.0.0"]
            ),
            ("10.9.9.9/8", ["10.0.0.0", "10.255.255.255"], ["11.0.0.0"]),
            ("192.168.1.1", ["192.168.1.1", "::ffff:c0a8:101"], ["192.168.1.0", "192.168.1.2"]),
            ("192.168.1.4/30", ["192.168.1.4", "192.168.1.7"], ["192.168.1.3", "192.168.1.8"]),
            ("0.0.0.0/0", ["0.0.0.0", "255.255.255.255"], ["::", "::1"]),
            ("2001:db8::/33", ["2001:db8::1", "2001:db8:7fff::"], ["2001:db8:8000::", "2001:db9::"]),
            ("::1", ["::1", "0:0:0:0:0:0:0:1"], ["::", "::2", "127.0.0.1", "0.0.0.1"]),
            ("::ffff:10.0.0.0/8", ["10.1.1.1", "::ffff:10.1.1.1"], ["11.0.0.0"]),
        ]
    )
    func `A range contains its addresses and no others`(text: String, inside: [String], outside: [String]) throws {
        let range = try #require(AddressRange(text))
        for address in inside { #expect(range.contains(try #require(AddressRange.bytes(of: address))), "\(address)") }
        for address in outside { #expect(!range.contains(try #require(AddressRange.bytes(of: address))), "\(address)") }
    }

    @Test(
        arguments: [
            "", "/", "/8", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/+8", "10.0.0.0/08", "10.0.0.0/8/8",
            "10.0.0.0/ 8", " 10.0.0.0/8", "10.0.0/8", "10.0.0.0.0", "010.0.0.1", "256.0.0.1", "0x0a.0.0.1", "10.1",
            "localhost",
            "::/129", "::1%lo", "[::1]", "fe80::1%eth0/64", "10.0.0.1\0", "10.0.0.1\0/8", "10.0.0.1/8\0", "1０.0.0.1",
            "::ffff:10.0.0.0/104",
        ]
    )
    func `Anything else is no range`(text: String) {
        #expect(AddressRange(text) == nil)
    }

    @Test(
        arguments: [
            ("127.0.0.1", "127.0.0.1"), ("::ffff:127.0.0.1", "127.0.0.1"), ("::FFFF:7F00:1", "127.0.0.1"),
            ("2001:DB8:0:0:0:0:0:1", "2001:db8::1"), ("::127.0.0.1", "::127.0.0.1"), ("::", "::"),
        ]
    )
    func `An address has one spelling`(text: String, spelling: String) throws {
        #expect(AddressRange.text(of: try #require(AddressRange.bytes(of: text))) == spelling)
    }
}
