import FleetToken
import JOSE
import Synchronization
import TestSupport
import TestTools
import Testing

@testable import TokenMinting

@Suite(.watchdog)
struct ReusingMinterTests {
    /// Counts signatures, and can fail, wait or do something else meanwhile.
    private final class Signer: TokenSigner {
        let local: LocalSigner
        let count = Mutex(0)
        let failures: Mutex<Int>
        let gate: AsyncStream<Void>?
        /// Whether signatures that begin do not wait at the gate.
        let isOpen = Atomic(false)
        let work: @Sendable () -> Void
        /// Tells of each signature that begins.
        let (arrivals, arrived) = AsyncStream.makeStream(of: Void.self)

        init(
            _ account: ServiceAccount,
            failures: Int = 0,
            gate: AsyncStream<Void>? = nil,
            during work: @escaping @Sendable () -> Void = {}
        ) {
            local = LocalSigner(account)
            self.failures = Mutex(failures)
            self.gate = gate
            self.work = work
        }

        var issuer: String { local.issuer }
        var publicKeys: [JWK] { local.publicKeys }

        func sign(payload: [UInt8]) async throws -> SignedToken {
            count.withLock { $0 += 1 }
            arrived.yield()
            if let gate, !isOpen.load(ordering: .relaxed) { for await _ in gate {} }
            work()
            let fails = failures.withLock { left in
                defer { left = max(0, left - 1) }
                return left > 0
            }
            if fails { throw TokenError(.signerUnavailable, "Not now.", retryAfter: 7) }
            return try await local.sign(payload: payload)
        }
    }

    private let clock = TestClock(at: Double(Accounts.now.seconds))

    private func minter(
        _ signer: any TokenSigner,
        capacity: Int = ReusingMinter.capacity,
        replacing previous: ReusingMinter? = nil
    ) -> ReusingMinter {
        let signers = Dictionary(uniqueKeysWithValues: TokenKind.allCases.map { ($0, signer) })
        return ReusingMinter(
            TokenMinter(signers: signers),
            capacity: capacity,
            clock: clock.service,
            replacing: previous
        )
    }

    private func driver(_ id: String) throws -> TokenScope { .driver(vehicle: try ResourceID(id)) }

    @Test
    func `A token is reused until it is too old`() async throws {
        let minter = minter(LocalSigner(try Accounts.first()))
        let scope = try driver("v")
        let first = try await minter.token(for: scope)
        clock.advance(by: 239)
        let second = try await minter.token(for: scope)
        #expect(!first.isReused && second.isReused)
        #expect(second.token.token.reveal() == first.token.token.reveal())
        // More than 3,300 seconds remain, and the answer says how many.
        #expect(second.token.expiresAt - clock.now == 3301)
        clock.advance(by: 1)
        let third = try await minter.token(for: scope)
        #expect(!third.isReused)
        #expect(third.token.expiresAt == clock.now + 3540)
    }

    @Test
    func `A token's age counts from the start of its signature, however long that takes`() async throws {
        let clock = clock
        let minter = minter(Signer(try Accounts.first()) { clock.advance(by: 100) })
        let scope = try driver("v")
        _ = try await minter.token(for: scope)
        clock.advance(by: 139)
        #expect(try await minter.token(for: scope).isReused)
        clock.advance(by: 1)
        #expect(!(try await minter.token(for: scope).isReused))
    }

    @Test(
        arguments: [(100, -7200), (100, -101), (100, 141), (100, 7200), (240, -240)] as [(Double, Double)]
    )
    func `A clock that is set ends the reuse, and makes no token younger`(passed: Double, difference: Double)
        async throws
    {
        let minter = minter(LocalSigner(try Accounts.first()))
        let scope = try driver("v")
        _ = try await minter.token(for: scope)
        clock.advance(by: passed)
        clock.setWallClock(by: difference)
        let (token, isReused) = try await minter.token(for: scope)
        #expect(!isReused)
        #expect(token.expiresAt - clock.now == 3540)
        #expect(try await minter.token(for: scope).isReused)
    }

    @Test
    func `New tokens of one second all differ, and keep iat in the past and exp`() async throws {
        let minter = minter(LocalSigner(try Accounts.first()))
        let scope = try driver("v")
        var tokens = [try await minter.token(for: scope).token]
        for _ in 0..<59 {
            let (token, isReused) = try await minter.token(for: scope, allowsReuse: false)
            #expect(!isReused && token.isValid(at: clock.now))
            #expect(token.expiresAt == clock.now + 3540)
            #expect(clock.now - token.issuedAt >= 1 && token.expiresAt - token.issuedAt <= 3600)
            tokens.append(token)
        }
        #expect(Set(tokens.map(\.token)).count == 60)
        let error = await #expect(throws: TokenError.self) {
            try await minter.token(for: scope, allowsReuse: false)
        }
        #expect(error?.reason == .rateLimited)
        // Other scopes and the next second are not affected; the last new token is the one that is reused.
        _ = try await minter.token(for: try driver("w"), allowsReuse: false)
        #expect(try await minter.token(for: scope).token.token == tokens.last?.token)
        clock.advance(by: 1)
        let next = try await minter.token(for: scope, allowsReuse: false).token
        #expect(!tokens.map(\.token).contains(next.token))
    }

    @Test
    func `New tokens of a batch of tasks, which are not reused, differ too`() async throws {
        let minter = minter(LocalSigner(try Accounts.first()))
        let batch = try TokenScope(kind: .deliveryServer, id: nil, taskIDs: ["task-1"])
        let first = try await minter.token(for: batch).token
        let second = try await minter.token(for: batch, allowsReuse: false).token
        let third = try await minter.token(for: batch, allowsReuse: false).token
        #expect(Set([first.token, second.token, third.token]).count == 3)
    }

    @Test
    func `After a reload with the same keys, tokens are reused and new ones differ from all before`() async throws {
        let scope = try driver("v")
        let before = minter(LocalSigner(try Accounts.first()))
        let tokens = [
            try await before.token(for: scope).token,
            try await before.token(for: scope, allowsReuse: false).token,
        ]
        let after = minter(LocalSigner(try Accounts.first()), replacing: before)
        let reused = try await after.token(for: scope)
        #expect(reused.isReused && reused.token.token == tokens[1].token)
        let new = try await after.token(for: scope, allowsReuse: false).token
        #expect(!tokens.map(\.token).contains(new.token))
    }

    @Test
    func `After a reload with other keys or fewer kinds, no token from before is issued`() async throws {
        let scope = try driver("v")
        let before = minter(LocalSigner(try Accounts.first()))
        _ = try await before.token(for: scope)
        let after = minter(LocalSigner(try Accounts.second()), replacing: before)
        #expect(!(try await after.token(for: scope).isReused))
        let consumer = TokenMinter(signers: [.consumer: LocalSigner(try Accounts.first())])
        let without = ReusingMinter(consumer, clock: clock.service, replacing: before)
        await #expect(throws: TokenError.self) { try await without.token(for: scope) }
    }

    @Test
    func `Another lifetime is another token`() async throws {
        let minter = minter(LocalSigner(try Accounts.first()))
        let scope = try driver("v")
        _ = try await minter.token(for: scope)
        let shorter = try await minter.token(for: scope, lifetime: try TokenLifetime(seconds: 600))
        #expect(!shorter.isReused)
    }

    @Test
    func `Each request for a batch of tasks is signed`() async throws {
        let scope = try TokenScope(kind: .deliveryServer, id: nil, taskIDs: ["a", "b"])
        let signer = Signer(try Accounts.first())
        let minter = minter(signer)
        for _ in 0..<3 { #expect(!(try await minter.token(for: scope).isReused)) }
        #expect(signer.count.withLock { $0 } == 3)
    }

    @Test
    func `A new token is not replaced by one that was begun before`() async throws {
        let (gate, opener) = AsyncStream.makeStream(of: Void.self)
        let signer = Signer(try Accounts.first(), gate: gate)
        let minter = minter(signer)
        let (scope, clock) = (try driver("v"), clock)
        let first = Task { try await minter.token(for: scope) }
        var arrivals = signer.arrivals.makeAsyncIterator()
        _ = await arrivals.next()
        clock.advance(by: 1)
        signer.isOpen.store(true, ordering: .relaxed)
        let new = try await minter.token(for: scope, allowsReuse: false).token
        opener.finish()
        _ = try await first.value
        #expect(try await minter.token(for: scope).token.token == new.token)
    }

    @Test
    func `A failure is passed on and not remembered`() async throws {
        let minter = minter(Signer(try Accounts.first(), failures: 2))
        for _ in 0..<2 {
            await #expect {
                try await minter.token(for: .server)
            } throws: {
                ($0 as? TokenError)?.retryAfter == 7
            }
        }
        #expect(!(try await minter.token(for: .server).isReused))
    }

    /// A cache whose key is less than the whole request serves one scope's token for another.
    @Test(arguments: UInt64(1)...3)
    func `Random requests get what they asked for, reused or not`(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let minter = minter(LocalSigner(try Accounts.first()))
        let verifier = try await JWTKitVerifier(jwks: try minter.minter.keys().encoded())
        var reused = 0
        for _ in 0..<200 {
            let wanted = try #require(KindSample.allCases.randomElement(using: &random))
            let seconds: Int64 = Bool.random(using: &random) ? 600 : 3540
            let lifetime = try TokenLifetime(seconds: seconds)
            let (token, isReused) = try await minter.token(for: wanted.scope(), lifetime: lifetime)
            let verified = try await verifier.verify(token.token.reveal())
            #expect(verified.authorization == wanted.authorization)
            let remaining = Int64(verified.expiresAt) - clock.now.seconds
            #expect((seconds - 240...seconds).contains(remaining))
            #expect(Int64(verified.expiresAt - verified.issuedAt) == seconds + 60)
            let response = token.response(at: clock.now)
            #expect(response.issuedAt == token.issuedAt && response.expiresAt == clock.now + remaining)
            reused += isReused ? 1 : 0
            clock.advance(by: Double(Int64.random(in: 0...10, using: &random)))
        }
        #expect(reused > 50)
    }

    @Test
    func `No more tokens are kept than the capacity`() async throws {
        let signer = Signer(try Accounts.first())
        let minter = minter(signer, capacity: 8)
        for id in 0..<40 { _ = try await minter.token(for: try driver("\(id)")) }
        var reused = 0
        for id in 0..<40 { reused += try await minter.token(for: try driver("\(id)")).isReused ? 1 : 0 }
        #expect(reused <= 8)
        #expect(signer.count.withLock { $0 } == 80 - reused)
    }

    @Test
    func `A token that replaces another at the capacity leaves the others`() async throws {
        let minter = minter(LocalSigner(try Accounts.first()), capacity: 8)
        for id in 0..<8 { _ = try await minter.token(for: try driver("\(id)")) }
        _ = try await minter.token(for: try driver("0"), allowsReuse: false)
        for id in 0..<8 { #expect(try await minter.token(for: try driver("\(id)")).isReused) }
    }

    @Test
    func `Requests for many scopes leave most tokens in use, although all are forgotten at once`() async throws {
        let minter = minter(LocalSigner(try Accounts.first()), capacity: 64)
        var reused = 0
        for round in 0..<20 {
            for id in 0..<10 {
                reused += try await minter.token(for: try driver("used-\(id)")).isReused ? 1 : 0
            }
            for id in 0..<20 { _ = try await minter.token(for: try driver("once-\(round)-\(id)")) }
        }
        // Of 190.
        #expect(reused > 100)
    }
}
