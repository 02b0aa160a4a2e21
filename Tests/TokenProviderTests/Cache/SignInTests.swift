import Foundation
import TestTools
import Testing
import TokenProviderTesting

@testable import TokenProvider

/// Sign-in, sign-out and a change of user.
@Suite(.watchdog)
struct SignInTests {
    private let clock = ManualClock()
    private let script = ScriptedTokens()
    private let provider: FleetTokenProvider
    private let trip = TokenScope.trip("trip-1")

    init() {
        provider = FleetTokenProvider(clock: clock, fetch: script.fetch)
    }

    private func code() async -> TokenProviderError.Code? {
        do {
            _ = try await provider.token(for: trip)
            return nil
        } catch {
            return (error as? TokenProviderError)?.code
        }
    }

    @Test
    func `Without a signed-in user nothing pauses`() async {
        script.fail(TokenProviderError(.unauthenticated, "Sign in."))
        for _ in 0..<5 { #expect(await code() == .unauthenticated) }
        #expect(script.requests.count == 5)
        script.succeed()
        #expect(await code() == nil)
    }

    @Test
    func `A change of credentials ends the pause after a 401`() async {
        script.fail(TokenProviderError(.unauthenticated, "Sign in again.", httpStatus: 401))
        for _ in 0..<5 { #expect(await code() == .unauthenticated) }
        #expect(script.requests.count == 1)
        script.succeed()
        #expect(await code() == .unauthenticated)
        provider.credentialsDidChange()
        #expect(await code() == nil)
        #expect(script.requests.count == 2)
    }

    @Test
    func `A pause that protects the server outlasts a change of credentials`() async {
        script.fail(TokenProviderError(.resourceExhausted, "Later.", retryAfter: 7))
        #expect(await code() == .resourceExhausted)
        script.succeed()
        provider.credentialsDidChange()
        #expect(await code() == .resourceExhausted)
        clock.advance(by: 9)
        #expect(await code() == nil)
    }

    @Test
    func `A call that waits fails if credentials change during the server's pause`() async throws {
        let held = Latch()
        defer { held.open() }
        script.answer { [trip] request, _ in
            if request.scope == trip { await held.wait() }
            throw TokenProviderError(.unavailable, "Later.", retryAfter: 7)
        }
        let call = Task { try await provider.token(for: trip) }
        try await script.waitForRequests(1)
        await #expect(throws: TokenProviderError.self) { try await provider.token(for: .server) }
        provider.credentialsDidChange()
        try #require(!provider.isFetching)
        let error = await #expect(throws: TokenProviderError.self) { try await call.value }
        #expect(error?.code == .unavailable)
    }

    @Test
    func `A call that waits gets its token with the new credentials, and the old fetch is cancelled`() async throws {
        let held = Latch()
        let (cancellations, cancelled) = AsyncStream.makeStream(of: Void.self)
        script.answer { _, number in
            guard number == 1 else { return Token("the new user's", lifetime: 3540) }
            await withTaskCancellationHandler {
                await held.wait()
            } onCancel: {
                cancelled.finish()
            }
            return Token("the last user's", lifetime: 3540)
        }
        async let token = provider.token(for: trip)
        try await script.waitForRequests(1)
        provider.credentialsDidChange()
        #expect(try await token.text == "the new user's")
        for await _ in cancellations {}
        held.open()
        #expect(try await provider.token(for: trip).text == "the new user's")
        #expect(script.requests.count == 2)
    }

    @Test(arguments: [3, 4])
    func `A call gets its token after three changes of the credentials, after four an error`(
        changes: Int
    ) async throws {
        let held = Latch()
        script.answer { _, number in
            if number <= changes { await held.wait() }
            return Token("token \(number)", lifetime: 3540)
        }
        defer { held.open() }
        let call = Task { try await provider.token(for: trip) }
        for change in 1...changes {
            try await script.waitForRequests(change)
            provider.credentialsDidChange()
        }
        let result = await call.result
        if changes == 3 {
            #expect(try result.get().text == "token 4")
        } else {
            let error = #expect(throws: TokenProviderError.self) { try result.get() }
            #expect(error?.message == TokenProviderError.credentialsChangedAgain.message)
        }
    }

    /// As with a listener that reports renewed credentials too, and a server that rejects all.
    @Test
    func `Credentials that change in each fetch start it again three times, and then the pauses grow`() async throws {
        let box = Lock<FleetTokenProvider?>(nil)
        let provider = FleetTokenProvider(clock: clock) { [script] request in
            _ = try await script.fetch(request)
            box.withLock { $0 }?.credentialsDidChange()
            throw TokenProviderError(.unauthenticated, "Sign in again.", httpStatus: 401)
        }
        box.withLock { $0 = provider }
        defer { box.withLock { $0 = nil } }
        for call in 1...60 {
            let error = await #expect(throws: TokenProviderError.self) { try await provider.token(for: trip) }
            #expect(error?.code == .unavailable)
            if call == 1 { #expect(script.requests.count == 4) }
            try await provider.waitForFetches()
            clock.advance(by: 1)
        }
        #expect((20...40).contains(script.requests.count))
    }

    @MainActor
    @Test(arguments: [false, true])
    func `A caller whose actor is busy gets no token of the last user`(isSignOut: Bool) async throws {
        let held = Latch()
        script.answer { _, number in
            await held.wait()
            return Token("token \(number)", lifetime: 3540)
        }
        let call = Task { @MainActor in try await provider.token(for: trip) }
        try await until { !script.requests.isEmpty }
        // From here on the actor is busy.
        held.open()
        while provider.isFetching, !Task.isCancelled { sched_yield() }
        provider.credentialsDidChange()
        guard isSignOut else {
            #expect(try await call.value.text == "token 2")
            return
        }
        provider.removeAll()
        let error = await #expect(throws: TokenProviderError.self) { try await call.value }
        #expect(error?.code == .signedOut)
        #expect(script.requests.count == 1)
    }

    @Test
    func `A token that was requested before a sign-out is not kept`() async throws {
        let held = Latch()
        script.answer { _, number in
            if number == 1 { await held.wait() }
            return Token("token \(number)", lifetime: 3540)
        }
        let call = Task { try await provider.token(for: trip) }
        try await script.waitForRequests(1)
        provider.removeAll()
        held.open()
        let error = await #expect(throws: TokenProviderError.self) { try await call.value }
        #expect(error?.code == .signedOut)
        #expect(try await provider.token(for: trip).text == "token 2")
    }
}
