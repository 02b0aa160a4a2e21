import Dispatch
import ExpiringCache
import FleetToken
import Foundation
import TestTime
import TestTraits
import Testing
import Timing
import TokenProviderTesting

@testable import TokenProvider

@Suite(
    "Samples: The completion is called exactly once, on the queue, never from within the call",
    .watchdog
)
struct CompletionTests {
    private let queue = DispatchQueue(label: "completions")
    private let key = DispatchSpecificKey<Bool>()
    private let source = ScriptedSource()

    init() {
        queue.setSpecific(key: key, value: true)
    }

    private final class Calls: Sendable {
        let results = Lock<[Result<Token, TokenProviderError>]>([])
        let onQueue = Lock(0)
        let duringCall = Lock(0)
        let isCalling = Lock(false)
        let first = Latch()

        func note(_ result: Result<Token, TokenProviderError>, onQueue isOnQueue: Bool) {
            results.withLock { $0.append(result) }
            if isOnQueue { onQueue.withLock { $0 += 1 } }
            if isCalling.withLock({ $0 }) { duringCall.withLock { $0 += 1 } }
            first.open()
        }
    }

    /// Calls with the queue held back, so that whatever runs before the call returns runs within it.
    private func call(_ provider: CachingTokenProvider, timeout: TimeInterval? = nil) -> Calls {
        let calls = Calls()
        calls.isCalling.withLock { $0 = true }
        queue.suspend()
        provider.token(for: .server, options: TokenRequestOptions(timeout: timeout), queue: queue) { [key] result in
            calls.note(result, onQueue: DispatchQueue.getSpecific(key: key) == true)
        }
        calls.isCalling.withLock { $0 = false }
        queue.resume()
        return calls
    }

    private func check(_ calls: Calls) async throws -> Result<Token, TokenProviderError> {
        await calls.first.wait()
        // Whatever else was on its way to the queue has come by the time this comes back from it.
        await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
        #expect(calls.results.withLock { $0.count } == 1)
        #expect(calls.onQueue.withLock { $0 } == 1)
        #expect(calls.duringCall.withLock { $0 } == 0)
        return try #require(calls.results.withLock { $0.first })
    }

    @Test("With a cached token")
    func hit() async throws {
        let provider = CachingTokenProvider(source: source)
        let token = try await provider.token(for: .server)
        #expect(try await check(call(provider)).get() == token)
        #expect(source.count == 1)
    }

    @Test("With a fetched token")
    func miss() async throws {
        #expect(try await check(call(CachingTokenProvider(source: source))).get().value == Secret("token 1"))
    }

    @Test("With an error of the source's")
    func failure() async throws {
        source.fail(TokenProviderError(.permissionDenied, "No."))
        let provider = CachingTokenProvider(source: source)
        for _ in 0..<2 {
            let result = try await check(call(provider))
            #expect(throws: TokenProviderError.self) { try result.get() }
            #expect(source.count == 1)
        }
    }

    @Test("With a timeout")
    func timeout() async throws {
        let latch = Latch()
        source.answer { _, _ in
            await latch.wait()
            throw CancellationError()
        }
        let provider = CachingTokenProvider(source: source)
        let result = try await check(call(provider, timeout: 0))
        let error = #expect(throws: TokenProviderError.self) { try result.get() }
        #expect(error?.code == .deadlineExceeded)
        latch.open()
    }

    @Test("With an error after a sign-out")
    func signOut() async throws {
        let latch = Latch()
        source.answer { _, _ in
            await latch.wait()
            throw CancellationError()
        }
        let provider = CachingTokenProvider(source: source)
        let calls = call(provider)
        provider.removeAll()
        let result = try await check(calls)
        let error = #expect(throws: TokenProviderError.self) { try result.get() }
        #expect(error?.code == .removed)
        latch.open()
    }

    @Test("With a token when the last reference to the provider is gone")
    func released() async throws {
        let latch = Latch()
        source.answer { _, number in
            await latch.wait()
            return FetchedToken(Secret("token \(number)"), lifetime: 3540)
        }
        weak var released: CachingTokenProvider?
        let calls: Calls
        do {
            let provider = CachingTokenProvider(source: source)
            released = provider
            calls = call(provider)
        }
        latch.open()
        #expect(try await check(calls).get().value == Secret("token 1"))
        // B46: nothing keeps it once it has answered.
        while released != nil { await Task.yield() }
    }
}

/// What a view controller is.
@MainActor
private final class Screen {
    var results: [Result<Token, TokenProviderError>] = []
    var isAsking = false

    /// Asks, and waits until the completion has come.
    func ask(_ tokens: CachingTokenProvider) async {
        await withCheckedContinuation { continuation in
            isAsking = true
            tokens.token(for: .server) { result in
                #expect(!self.isAsking)
                self.results.append(result)
                continuation.resume()
            }
            isAsking = false
        }
    }
}

@Suite("A completion without a queue runs on the main actor", .watchdog)
struct MainActorCompletionTests {
    @Test("It may use what belongs to the main actor, with a token and with an error")
    func usesTheMainActor() async {
        let source = ScriptedSource()
        let tokens = CachingTokenProvider(source: source)
        let screen = Screen()
        await screen.ask(tokens)
        await screen.ask(tokens)
        tokens.removeAll()
        source.fail(TokenProviderError(.permissionDenied, "No."))
        await screen.ask(tokens)
        let results = await screen.results
        #expect(results.map { (try? $0.get()) != nil } == [true, true, false])
    }
}
