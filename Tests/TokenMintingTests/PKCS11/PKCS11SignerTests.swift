import Dispatch
import FleetToken
import JOSE
import Synchronization
import TestSupport
import TestTraits
import Testing

@testable import TokenMinting

@Suite(
    "Keys in a PKCS#11 token",
    .serialized,
    .enabled(if: Requirement.runs(with: SoftHSM.module), "SoftHSM is not installed; see scripts/install.sh"),
    .watchdog
)
struct PKCS11SignerTests {
    private let hsm: SoftHSM

    init() async throws {
        hsm = try await SoftHSM.shared.value
    }

    private func key(
        token: String = "fleet",
        pin: String = SoftHSM.pin,
        refusals: PKCS11Refusals = PKCS11Refusals()
    ) async throws -> PKCS11Key {
        let configuration = PKCS11Configuration(module: SoftHSM.module, token: token, key: "driver", pinFile: "")
        return try await .open(configuration, pin: Secret(pin), refusals: refusals)
    }

    private func minter(_ key: PKCS11Key) throws -> TokenMinter {
        let issuer = "driver@development.invalid"
        return Accounts.minter(try PKCS11Signer(issuer: issuer, keyID: "key-1", key: key, time: .seconds(5)))
    }

    @Test("Fifty signatures at once are all made")
    func concurrency() async throws {
        let minter = try minter(try await key())
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<50 { group.addTask { _ = try await minter.mint(.server, now: Accounts.now) } }
            try await group.waitForAll()
        }
    }

    @Test("A token that lost its sessions is opened again")
    func reset() async throws {
        let minter = try minter(try await key())
        for _ in 0..<3 {
            _ = try await minter.mint(.server, now: Accounts.now)
            try hsm.reset()
        }
        _ = try await minter.mint(.server, now: Accounts.now)
    }

    @Test("An operation whose caller has gone before its turn is skipped")
    func operationThatNobodyAwaits() async throws {
        let library = PKCS11Library.at(SoftHSM.module)
        let release = DispatchSemaphore(value: 0)
        let (starts, start) = AsyncStream<Void>.makeStream()
        async let first: Void = library.run(within: .seconds(60)) { _ in
            start.yield()
            _ = release.wait(timeout: .now() + 20)
        }
        _ = await starts.first { true }
        let isDone = Mutex(false)
        let second = Task { try await library.run(within: .seconds(60)) { _ in isDone.withLock { $0 = true } } }
        second.cancel()
        await #expect(throws: CancellationError.self) { try await second.value }
        release.signal()
        try await first
        // The operations take turns, so the second's has passed after the third.
        try await library.run(within: .seconds(60)) { _ in }
        #expect(!isDone.withLock { $0 })
    }

    @Test("A refused PIN is not tried again")
    func refusedPIN() async throws {
        // The module takes any login for granted while another of this process lasts.
        try hsm.reset()
        let refused = try await refusal { try await key(pin: "11111111") }
        #expect(refused.isRefusal)
        #expect(!refused.description.contains("11111111"))
        let refusals = PKCS11Refusals()
        let minters = try [minter(try await key(refusals: refusals)), minter(try await key(refusals: refusals))]
        try hsm.changePIN(from: SoftHSM.pin, to: "24681357")
        try hsm.reset()
        await #expect(throws: PKCS11Error.self) { try await minters[0].mint(.server, now: Accounts.now) }
        try hsm.changePIN(from: "24681357", to: SoftHSM.pin)
        // Another try would succeed now; there is none, neither with this key nor with another, nor at a reload.
        for minter in minters {
            await #expect(throws: PKCS11Error.self) { try await minter.mint(.server, now: Accounts.now) }
        }
        let reloaded = try await refusal { try await key(refusals: refusals) }
        #expect(reloaded.isRefusal)
        _ = try await self.minter(try await key()).mint(.server, now: Accounts.now)
    }

    @Test("A token is found by its whole label")
    func label() async throws {
        let error = try await refusal { try await key(token: "flee", pin: "") }
        #expect(error.description.contains("No token is labelled flee."))
    }

    @Test("No error shows the PIN", .tags(.s2))
    func nothingShowsThePIN() async throws {
        var dumped = ""
        let key = try await key()
        dump(key, to: &dumped)
        #expect(!dumped.contains(SoftHSM.pin))
        #expect(!"\(key)".contains(SoftHSM.pin))
    }
}

/// What a body throws.
private func refusal(_ body: () async throws -> PKCS11Key) async throws -> PKCS11Error {
    try await #require(throws: PKCS11Error.self) { _ = try await body() }
}
