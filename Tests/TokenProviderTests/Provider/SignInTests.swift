import ExpiringCache
import FleetToken
import Foundation
import TestTime
import TestTraits
import Testing
import Timing
import TokenProviderTesting

@testable import TokenProvider

@Suite("Sign-in, sign-out and a change of user", .watchdog)
struct SignInTests {
    private let time = TestClock(at: 1_795_211_460)
    private let source = ScriptedSource()
    private let provider: CachingTokenProvider
    private let trip: TokenScope

    init() throws {
        provider = CachingTokenProvider(
            configuration: .init(),
            observer: nil,
            environment: time.environment()
        ) { [source] in try await source.fetchToken(for: $0) }
        trip = try .trip("trip-1")
    }

    private func code() async -> TokenErrorCode? {
        do {
            _ = try await provider.token(for: trip)
            return nil
        } catch {
            return (error as? TokenProviderError)?.code
        }
    }

    @Test("Without a signed-in user nothing pauses: the call after the sign-in gets a token at once")
    func signIn() async {
        source.fail(TokenProviderError(.unauthenticated, "Sign in."))
        for _ in 0..<5 { #expect(await code() == .unauthenticated) }
        #expect(source.count == 5)
        source.succeed()
        #expect(await code() == nil)
    }

    @Test("A server's 401 pauses its scope; a change of the credentials ends the pause")
    func serverRefusal() async {
        source.fail(TokenProviderError(.unauthenticated, "Sign in again.", httpStatus: 401))
        for _ in 0..<5 { #expect(await code() == .unauthenticated) }
        #expect(source.count == 1)
        source.succeed()
        #expect(await code() == .unauthenticated)
        provider.credentialsDidChange()
        #expect(await code() == nil)
        #expect(source.count == 2)
    }

    @Test("A pause that protects the server outlasts a change of the credentials")
    func serverPause() async {
        source.fail(TokenProviderError(.resourceExhausted, "Later.", retryAfter: 7))
        #expect(await code() == .resourceExhausted)
        source.succeed()
        provider.credentialsDidChange()
        #expect(await code() == .resourceExhausted)
        time.advance(by: 8)
        #expect(await code() == nil)
    }

    @Test("During the server's pause a change of the credentials fetches nothing for a call that waits: it fails")
    func waitingCallInPause() async throws {
        let held = Latch()
        defer { held.open() }
        source.answer { [trip] context, _ in
            if context.scope == trip { await held.wait() }
            throw TokenProviderError(.unavailable, "Later.", retryAfter: 7)
        }
        let call = Task { try await provider.token(for: trip) }
        while source.count == 0 { await Task.yield() }
        await #expect(throws: TokenProviderError.self) { try await provider.token(for: .server) }
        provider.credentialsDidChange()
        try #require(!provider.cache.isFetching)
        let error = await #expect(throws: TokenProviderError.self) { try await call.value }
        #expect(error?.code == .unavailable)
    }

    @Test("A call that waits gets its token with the new credentials, and the old fetch is cancelled")
    func waitingCall() async throws {
        let held = Latch()
        let cancelled = Latch()
        source.answer { _, number in
            if number == 1 {
                await withTaskCancellationHandler {
                    await held.wait()
                } onCancel: {
                    cancelled.open()
                }
                return FetchedToken(Secret("the last user's"), lifetime: 3540)
            }
            return FetchedToken(Secret("the new user's"), lifetime: 3540)
        }
        async let token = provider.token(for: trip)
        while source.count == 0 { await Task.yield() }
        provider.credentialsDidChange()
        #expect(try await token.value == Secret("the new user's"))
        await cancelled.wait()
        held.open()
        #expect(try await provider.token(for: trip).value == Secret("the new user's"))
        #expect(source.count == 2)
    }

    @MainActor
    @Test(
        "A caller whose actor is busy during a change of the credentials gets a token of the new ones, or none after a sign-out",
        arguments: [false, true]
    )
    func busyActor(isSignOut: Bool) async throws {
        let held = Latch()
        source.answer { _, number in
            await held.wait()
            return FetchedToken("token \(number)", lifetime: 3540)
        }
        let call = Task { @MainActor in try await provider.token(for: trip) }
        while source.count == 0 { await Task.yield() }
        // From here on the actor is busy.
        held.open()
        while provider.cache.isFetching { sched_yield() }
        provider.credentialsDidChange()
        guard isSignOut else {
            #expect(try await call.value.value == Secret("token 2"))
            return
        }
        provider.removeAll()
        let error = await #expect(throws: TokenProviderError.self) { try await call.value }
        #expect(error?.code == .removed)
        #expect(source.count == 1)
    }

    @Test("A sign-out, a change of user and the end of a trip clear what the SDKs' adapter keeps")
    func deliveredTokens() async throws {
        let provider = provider
        let user = Lock<CachingTokenProvider?>(provider)
        let authorization = SDKAuthorization { user.withLock { $0 } }
        func fetch(_ trip: String) async -> String? {
            await withCheckedContinuation { continuation in
                authorization.fetchToken(tripID: trip) { token, _ in continuation.resume(returning: token) }
            }
        }
        for number in 1...10 { #expect(await fetch("trip-\(number)") != nil) }
        #expect(provider.deliveredTokens.count == 10)
        provider.remove(trip)
        #expect(provider.deliveredTokens.count == 9)
        provider.credentialsDidChange()
        #expect(provider.deliveredTokens.count == 0)
        for number in 1...10 { #expect(await fetch("trip-\(number)") != nil) }
        #expect(provider.deliveredTokens.count == 10)
        provider.removeAll()
        #expect(provider.deliveredTokens.count == 0)
        user.withLock { $0 = nil }
        #expect(await fetch("trip-1") == nil)
    }

    @Test("A token that was requested before a sign-out is not kept after it")
    func lateDelivery() {
        let deliveredTokens = DeliveredTokens(clock: .system)
        let generation = deliveredTokens.generation
        deliveredTokens.removeAll()
        deliveredTokens.note(Token(Secret("token"), scope: trip, expirationDate: Date()), generation)
        #expect(deliveredTokens.count == 0)
    }
}
