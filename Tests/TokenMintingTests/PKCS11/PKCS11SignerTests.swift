import FleetToken
import JOSE
import TestSupport
import Testing

@testable import TokenMinting

/// A key in a token signs like one in memory, and comes back after the token was away.
@Suite(.serialized, .enabled(if: SoftHSM.isInstalled, "SoftHSM is not installed; see scripts/install.sh"))
struct PKCS11SignerTests {
    private let hsm: SoftHSM

    init() async throws {
        hsm = try await SoftHSM.shared.value
    }

    private func key(label: String = "driver", pin: String = SoftHSM.pin) throws -> PKCS11Key {
        try PKCS11Key(label: label, token: "fleet", module: SoftHSM.module, pin: Secret(pin))
    }

    private func minter(_ key: PKCS11Key) throws -> TokenMinter {
        Accounts.minter(try PKCS11Signer(issuer: "driver@development.invalid", keyID: "key-1", key: key))
    }

    @Test(arguments: [KindSample.driver, .largestBatch])
    func tokensVerifyWithTheTokensKey(sample: KindSample) async throws {
        let key = try key()
        #expect(key.publicKey == hsm.publicKey)
        let minter = try minter(key)
        let minted = try await minter.mint(try sample.scope(), now: Accounts.now)
        let verified = try await JWTKitVerifier(jwks: try minter.keys().encoded()).verify(minted.token.reveal())
        #expect(verified.authorization == sample.authorization)
    }

    @Test func manySignAtOnce() async throws {
        let minter = try minter(try key())
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<50 { group.addTask { _ = try await minter.mint(.server, now: Accounts.now) } }
            try await group.waitForAll()
        }
    }

    @Test func aTokenThatForgotEverythingIsOpenedAgain() async throws {
        let minter = try minter(try key())
        for _ in 0..<3 {
            _ = try await minter.mint(.server, now: Accounts.now)
            try hsm.reset()
        }
        _ = try await minter.mint(.server, now: Accounts.now)
    }

    @Test func aPINThatIsRefusedIsNotTriedAgain() async throws {
        // The module takes any login for granted while another of this process lasts.
        try hsm.reset()
        let refused = try PKCS11Error.refusal { try key(pin: "11111111") }
        #expect(refused.isRefusal)
        #expect(!refused.description.contains("11111111"))
        let minter = try minter(try key())
        try hsm.changePIN(from: SoftHSM.pin, to: "24681357")
        try hsm.reset()
        await #expect(throws: PKCS11Error.self) { try await minter.mint(.server, now: Accounts.now) }
        try hsm.changePIN(from: "24681357", to: SoftHSM.pin)
        // Another try would succeed now; there is none.
        await #expect(throws: PKCS11Error.self) { try await minter.mint(.server, now: Accounts.now) }
        _ = try await self.minter(try key()).mint(.server, now: Accounts.now)
    }

    @Test func whatIsNotThereIsNamed() throws {
        #expect(try PKCS11Error.refusal { try key(label: "x") }.description.contains("no private RSA key labelled x"))
        let elsewhere = try PKCS11Error.refusal {
            try PKCS11Key(label: "driver", token: "x", module: SoftHSM.module, pin: Secret(""))
        }
        #expect(elsewhere.description.contains("no token labelled x"))
        let missing = try PKCS11Error.refusal {
            try PKCS11Key(label: "driver", token: "fleet", module: "/nowhere.so", pin: Secret(""))
        }
        #expect(missing.description.contains("/nowhere.so"))
    }

    @Test func s2NothingShowsThePIN() throws {
        var dumped = ""
        let key = try key()
        dump(key, to: &dumped)
        #expect(!dumped.contains(SoftHSM.pin))
        #expect(!"\(key)".contains(SoftHSM.pin))
    }
}

extension PKCS11Error {
    /// What a body throws.
    fileprivate static func refusal(_ body: () throws -> PKCS11Key) throws -> PKCS11Error {
        try #require(throws: PKCS11Error.self) { _ = try body() }
    }
}
