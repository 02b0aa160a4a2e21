import StrictCoding
import Testing

@testable import ServiceSupport
@testable import TokenIssuance

@Suite struct CertificateAuthenticatorTests {
    private static let uri = "spiffe://corp/ns/fleet/sa/backend"

    private func authenticator() throws -> CertificateAuthenticator {
        try CertificateAuthenticator([
            ("backend", [Self.uri, "backend.corp"]),
            ("dispatch", ["K.corp"]),
        ])
    }

    @Test("A listed name authenticates its caller")
    func listedNames() throws {
        let caller = try #require(try authenticator().caller(named: [.dns("other.corp"), .dns("backend.corp")]))
        #expect(caller.method == .certificate)
        #expect(caller.name == "backend")
        #expect(caller.subject == "backend.corp")
        #expect(caller.claims.members.isEmpty)
        #expect(!caller.isApp)
    }

    @Test("Two names of one caller authenticate one caller")
    func twoNames() throws {
        #expect(try authenticator().caller(named: [.uri(Self.uri), .dns("backend.corp")])?.subject == Self.uri)
    }

    @Test(
        "A DNS name or URI that is not listed authenticates nobody",
        arguments: [
            "", "Backend.corp", "backend.corp.", "backend.corp\u{0}", "backend.corp\u{0}.evil.example",
            "x.backend.corp", "*.corp", "backend", "\u{212A}.corp", "b\u{E4}ckend.corp",
            uri + "/", "spiffe://corp/ns/fleet/sa/", uri + "\u{0}", uri.uppercased(),
            "spiffe://corp/ns/fleet/sa/*", "spiffe://corp/ns/fleet/sa/%62ackend",
        ]
    )
    func otherNames(_ name: String) throws {
        #expect(try authenticator().caller(named: [.dns(name)]) == nil)
        #expect(try authenticator().caller(named: [.uri(name)]) == nil)
        #expect(try authenticator().caller(named: []) == nil)
    }

    @Test("Names of two callers are refused")
    func namesOfTwoCallers() throws {
        let authenticator = try authenticator()
        #expect(throws: AuthenticationFailure(.ambiguousCertificate)) {
            try authenticator.caller(named: [.dns("backend.corp"), .dns("K.corp")])
        }
    }

    @Test(
        "A text that is neither a URI nor a DNS name is refused in the configuration",
        arguments: [
            [""], ["*.corp"], ["caf\u{E9}.corp"], ["a b"], ["a\n"], ["a\u{0}"], ["a.corp", "a.corp"],
            ["spiffe://corp/*"], ["spiffe://corp/a b"], ["://corp"], ["1a://corp"], ["uri:"], [":"],
            ["10.0.0.7"], ["2001:db8::7"], ["fe80::1"], ["::1"], ["[::1]:443"], ["user@corp"],
        ]
    )
    func invalidNames(_ names: [String]) {
        #expect(throws: ConfigurationError.self) {
            try CertificateAuthenticator([("x", names)])
        }
    }

    @Test("One name for two callers is refused in the configuration")
    func oneNameForTwoCallers() {
        #expect(throws: ConfigurationError.self) {
            try CertificateAuthenticator([
                ("a", ["n"]),
                ("b", ["n"]),
            ])
        }
    }
}
