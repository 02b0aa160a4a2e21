import FleetToken
import TestSupport
import Testing

@testable import ServiceSupport
@testable import TokenMinting

struct GoogleAddressTests {
    @Test(
        arguments: [
            "driver@my-project.iam.gserviceaccount.com", "123-compute@developer.gserviceaccount.com",
            "a@b.example.com.iam.gserviceaccount.com",
        ]
    )
    func `Addresses of Google’s service accounts are accepted`(address: String) {
        #expect(ServiceAccountAddress.isGoogles(address))
    }

    @Test(
        arguments: [
            "", "driver", "@my-project.iam.gserviceaccount.com", "driver@", "driver@example.com",
            "driver@gserviceaccount.com",
            "Driver@my-project.iam.gserviceaccount.com", "a/b@p.iam.gserviceaccount.com",
            "a%2Fb@p.iam.gserviceaccount.com",
            "a?x@p.iam.gserviceaccount.com", "a#x@p.iam.gserviceaccount.com", "a:signJwt@p.iam.gserviceaccount.com",
            "a@b@p.iam.gserviceaccount.com", "a@p.iam.gserviceaccount.com\n", "a@p.iam.gserviceaccount.com.example.com",
            "ä@p.iam.gserviceaccount.com", "a@p.iam.gserviceaccount.com/..", "a@p.iam.gserviceaccount.com\u{301}",
        ]
    )
    func `Every other address is refused`(address: String) {
        #expect(!ServiceAccountAddress.isGoogles(address))
    }

    @Test
    func `An emulator on this machine takes the place of all servers`() throws {
        let addresses = try GoogleAddresses.chosen(by: [GoogleAddresses.emulatorVariable: "127.0.0.1:8123"])
        #expect(addresses.isEmulator)
        #expect(!GoogleAddresses.google.isEmulator)
        for place in [addresses.metadata, addresses.oauth, addresses.credentials, addresses.keys] {
            #expect(place == "http://127.0.0.1:8123")
        }
    }

    @Test(
        arguments: [
            "", "127.0.0.1", "127.0.0.1:", "127.0.0.1:0", "127.0.0.1:65536", "127.0.0.1:80@evil.example",
            "127.0.0.1:80/x",
            "localhost:80", "0.0.0.0:80", "127.0.0.1.evil.example:80", "evil.example:80", "http://127.0.0.1:80",
            "[::1]:80", "127.0.0.1:+80", "127.0.0.1:８０", " 127.0.0.1:80",
        ]
    )
    func `An emulator at any other address is refused`(place: String) {
        #expect(throws: OperatorError.self) {
            try GoogleAddresses.chosen(by: [GoogleAddresses.emulatorVariable: place])
        }
    }
}
