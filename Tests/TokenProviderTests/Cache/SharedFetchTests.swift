import Foundation
import TestTools
import Testing
import TokenProviderTesting

@testable import TokenProvider

/// One fetch for all calls of a scope: of those that come, are cancelled or resume late.
@Suite(.watchdog)
struct SharedFetchTests {
    private let clock = ManualClock()
    private let script = ScriptedTokens()
    private let provider: FleetTokenProvider
    private let scope = TokenScope.trip("trip-1")

    init() {
        provider = FleetTokenProvider(clock: clock, fetch: script.fetch)
    }

    /// Makes fetches wait until the latch opens.
    private func hold() -> Latch {
        let held = Latch()
        script.answer { _, number in
            await held.wait()
            return Token("token \(number)", lifetime: 3540)
        }
        return held
    }

    @Test(arguments: [0, 1_000])
    func `A thousand calls share one fetch`(suspensions: Int) async throws {
        script.answer { _, number in
            for _ in 0..<suspensions { await Task.yield() }
            return Token("token \(number)", lifetime: 3540)
        }
        let calls = (0..<1_000).map { _ in Task { try await provider.token(for: scope) } }
        for call in calls { #expect(try await call.value.text == "token 1") }
        #expect(script.requests.count == 1)
    }

    @Test(arguments: 1..<15)
    func `Cancelled calls do not fail the others`(subset: Int) async throws {
        let held = hold()
        let calls = (0..<4).map { _ in Task { try await provider.token(for: scope) } }
        try await script.waitForRequests(1)
        for (number, call) in calls.enumerated() where subset & 1 << number != 0 { call.cancel() }
        for (number, call) in calls.enumerated() where subset & 1 << number != 0 {
            await #expect(throws: CancellationError.self, "\(number)") { try await call.value }
        }
        held.open()
        for (number, call) in calls.enumerated() where subset & 1 << number == 0 {
            #expect(try await call.value.text == "token 1")
        }
        #expect(script.requests.count == 1)
    }

    @Test
    func `A fetch outlives the call that started it`() async throws {
        let held = hold()
        let call = Task { try await provider.token(for: scope) }
        try await script.waitForRequests(1)
        call.cancel()
        await #expect(throws: CancellationError.self) { try await call.value }
        let other = Task { try await provider.token(for: scope) }
        held.open()
        #expect(try await other.value.text == "token 1")
        #expect(script.requests.count == 1)
    }

    @TaskLocal static var local = "none"

    @Test
    func `A fetch inherits no task-local values and is urgent`() async throws {
        script.answer { _, _ in Token("\(Self.local), \(Task.currentPriority >= .userInitiated)", lifetime: 3540) }
        let text = try await Self.$local.withValue("the caller's") {
            try await Task.detached(priority: .background) { try await provider.token(for: scope).text }.value
        }
        #expect(text == "none, true")
    }

    @Test
    func `A call that was cancelled before starts no fetch`() async {
        let call = Task {
            while !Task.isCancelled { await Task.yield() }
            return try await provider.token(for: scope)
        }
        call.cancel()
        await #expect(throws: CancellationError.self) { try await call.value }
        #expect(script.requests.isEmpty)
    }

    @Test
    func `One failure ends two thousand calls`() async throws {
        let held = Latch()
        script.answer { _, _ in
            await held.wait()
            throw TokenProviderError(.unavailable, "Later.")
        }
        let calls = (0..<2_000).map { _ in Task { try await provider.token(for: scope) } }
        try await script.waitForRequests(1)
        held.open()
        for call in calls { await #expect(throws: TokenProviderError.self) { try await call.value } }
        #expect(script.requests.count == 1)
    }

    /// A fetch that never ends costs its time limit, and no other scope anything.
    @Test
    func `A fetch that never ends is abandoned`() async throws {
        let held = Latch()
        let (cancellations, cancelled) = AsyncStream.makeStream(of: Void.self)
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        script.answer { [scope] request, number in
            guard request.scope == scope, number == 1 else { return Token("token \(number)", lifetime: 3540) }
            defer { end.finish() }
            await withTaskCancellationHandler {
                await held.wait()
            } onCancel: {
                cancelled.finish()
            }
            return Token("late", lifetime: 3540)
        }
        let call = Task { try await provider.token(for: scope) }
        try await script.waitForRequests(1)
        _ = try await provider.token(for: .server)
        clock.advance(by: 15)
        let error = await #expect(throws: TokenProviderError.self) { try await call.value }
        #expect(error?.code == .unavailable)
        for await _ in cancellations {}
        clock.advance(by: 0.5)
        #expect(try await provider.token(for: scope).text == "token 3")
        held.open()
        for await _ in ends {}
        #expect(try await provider.token(for: scope).text == "token 3")
    }

    @MainActor
    @Test
    func `A caller whose actor was busy gets no expired token`() async throws {
        let held = hold()
        let call = Task { @MainActor in try await provider.token(for: scope) }
        try await until { !script.requests.isEmpty }
        held.open()
        while provider.isFetching, !Task.isCancelled { sched_yield() }
        clock.advance(by: 3_600)
        #expect(try await call.value.text == "token 2")
    }

    @MainActor
    @Test
    func `A caller whose actor is always busy → an error after three fetches`() async throws {
        let held = (0..<3).map { _ in Latch() }
        script.answer { _, number in
            await held[min(number, 3) - 1].wait()
            return Token("token \(number)", lifetime: 3540)
        }
        let call = Task { @MainActor in try await provider.token(for: scope) }
        for (fetch, latch) in held.enumerated() {
            while script.requests.count <= fetch { await Task.yield() }
            latch.open()
            while provider.isFetching { sched_yield() }
            clock.advance(by: 3_600)
        }
        let error = await #expect(throws: TokenProviderError.self) { try await call.value }
        #expect(error?.code == .unavailable)
        #expect(error?.message.contains("expired") == true)
        #expect(script.requests.count == 3)
    }

    @Test
    func `onFetch and fetches may call the provider`() async throws {
        let box = Lock<FleetTokenProvider?>(nil)
        let provider = FleetTokenProvider(
            clock: clock,
            onFetch: { _, _ in
                let provider = box.withLock { $0 }
                provider?.invalidate(.server)
                provider?.retryNow()
            },
            fetch: { request in
                guard request.scope == .server else { return Token("other", lifetime: 3540) }
                return try await box.withLock { $0 }?.token(for: .fleetReader) ?? Token("none", lifetime: 0)
            }
        )
        box.withLock { $0 = provider }
        #expect(try await provider.token(for: .server).text == "other")
        try await provider.waitForFetches()
        box.withLock { $0 = nil }
    }

    @Test
    func `Nothing outlives the provider`() async throws {
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        weak var released: FleetTokenProvider?
        do {
            let (starts, start) = AsyncStream.makeStream(of: Void.self)
            let provider = FleetTokenProvider { _ in
                defer { end.finish() }
                start.finish()
                while !Task.isCancelled { await Task.yield() }
                throw CancellationError()
            }
            released = provider
            let call = Task { try await provider.token(for: scope) }
            for await _ in starts {}
            call.cancel()
            _ = await call.result
        }
        for await _ in ends {}
        #expect(released == nil)
    }
}
