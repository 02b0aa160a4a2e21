import StrictCoding
import Testing

@testable import ServiceConfiguration
@testable import ServiceSupport
@testable import TokenIssuance

@Suite struct CertificateAuthenticatorTests {
    private func authenticator() throws -> CertificateAuthenticator {
        try CertificateAuthenticator([
            .init(
                name: "backend",
                isApp: false,
                certificateNames: ["spiffe://corp/ns/fleet/sa/backend", "backend.corp"]
            ),
            .init(name: "dispatch", isApp: false, certificateNames: ["K.corp"]),
        ])
    }

    @Test func listedNamesAreTheirCallers() throws {
        let caller = try #require(try authenticator().caller(named: ["other.corp", "backend.corp"]))
        #expect(caller.method == .certificate)
        #expect(caller.name == "backend")
        #expect(caller.subject == "backend.corp")
        #expect(caller.claims.members.isEmpty)
        #expect(!caller.isApp)
    }

    @Test func twoNamesOfOneCallerAreOneCaller() throws {
        let names = ["spiffe://corp/ns/fleet/sa/backend", "backend.corp"]
        #expect(try authenticator().caller(named: names)?.subject == names[0])
    }

    @Test(arguments: [
        [], [""], ["Backend.corp"], ["backend.corp."], ["backend.corp\u{0}"], ["x.backend.corp"], ["*.corp"],
        ["backend"],
        ["\u{212A}.corp"], ["spiffe://corp/ns/fleet/sa/backend/"], ["spiffe://corp/ns/fleet/sa/"],
    ])
    func otherNamesAreNobodys(_ names: [String]) throws {
        #expect(try authenticator().caller(named: names) == nil)
    }

    @Test func namesOfTwoCallersAreRefused() throws {
        let authenticator = try authenticator()
        #expect(throws: AuthenticationFailure(.ambiguousCertificate)) {
            try authenticator.caller(named: ["backend.corp", "K.corp"])
        }
    }

    @Test(arguments: [[""], ["*.corp"], ["caf\u{E9}.corp"], ["a b"], ["a\n"], ["a.corp", "a.corp"]])
    func namesThatCannotBeListedAreRefused(_ names: [String]) {
        #expect(throws: ConfigurationError.self) {
            try CertificateAuthenticator([.init(name: "x", isApp: false, certificateNames: names)])
        }
    }

    @Test func oneNameForTwoCallersIsRefused() {
        #expect(throws: ConfigurationError.self) {
            try CertificateAuthenticator([
                .init(name: "a", isApp: false, certificateNames: ["n"]),
                .init(name: "b", isApp: false, certificateNames: ["n"]),
            ])
        }
    }
}
