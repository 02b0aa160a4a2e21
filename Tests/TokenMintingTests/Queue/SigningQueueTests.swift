import Dispatch
import ExpiringCache
import FleetToken
import Logging
import ServiceSupport
import TestSupport
import TestTime
import TestTraits
import Testing

@testable import TokenMinting

@Suite("Signatures on threads, and what the queue does around any signature", .watchdog)
struct SigningQueueTests {
    private let registry = PrometheusRegistry()
    private let recorder = RecordedLog()

    private func queue(threads: Int, clock: TestClock = TestClock()) -> SigningQueue {
        let metrics = SigningMetrics(registry: registry)
        return SigningQueue(threads: threads, metrics: metrics, logger: recorder.logger, clock: clock.service)
    }

    private func token() throws -> SignedToken { SignedToken(token: Secret("token"), jwk: try Accounts.first().jwk) }

    // MARK: Threads

    @Test("A thousand signatures are made, and each task gets its own or is cancelled", arguments: [1, 3])
    func everyTaskEnds(threads: Int) async throws {
        let signer = LocalSigner(try Accounts.first(), queue: queue(threads: threads))
        let (signed, cancelled) = try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<1000 {
                group.addTask {
                    let payload = Array("{\(number)}".utf8)
                    let task = Task { try await signer.sign(payload: payload, for: "a") }
                    if number % 2 == 1 { task.cancel() }
                    do {
                        let token = try await task.value.token
                        #expect(try signer.sign(payload: payload).token == token)
                        return true
                    } catch is CancellationError {
                        return false
                    }
                }
            }
            return try await group.reduce(into: (0, 0)) { if $1 { $0.0 += 1 } else { $0.1 += 1 } }
        }
        #expect(signed >= 500 && signed + cancelled == 1000)
        let page = try ExpositionText(registry.render())
        let count = page.value("fleet_token_sign_duration_seconds_count", ["signer": "local", "result": "signed"])
        #expect(count == Double(signed))
    }

    @Test("There are as many threads as requested: each signature waits until all have begun")
    func threadsAreKept() async throws {
        let arrived = DispatchGroup()
        for _ in 0..<3 { arrived.enter() }
        let queue = queue(threads: 3)
        let token = try token()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<3 {
                group.addTask {
                    _ = try await queue.signOnThread(for: "a") {
                        arrived.leave()
                        #expect(arrived.wait(timeout: .now() + 20) == .success)
                        return token
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    /// The only thread, which makes a signature until it is released.
    private struct BusyThread {
        private let semaphore = DispatchSemaphore(value: 0)
        private let task: Task<Void, Never>

        init(_ queue: SigningQueue) async {
            let (begun, begin) = AsyncStream.makeStream(of: Void.self)
            task = Task { [semaphore] in
                _ = try? await queue.signOnThread(for: "noisy") {
                    begin.finish()
                    _ = semaphore.wait(timeout: .now() + 20)
                    throw CancellationError()
                }
            }
            for await _ in begun {}
        }

        func release() { semaphore.signal() }
    }

    @Test("A quiet caller's signature is made next, although a noisy caller's wait")
    func callersTakeTurns() async throws {
        let queue = queue(threads: 1)
        let thread = await BusyThread(queue)
        let (signed, sign) = AsyncStream.makeStream(of: String.self)
        let token = try token()
        try await withThrowingTaskGroup(of: Void.self) { group in
            func add(_ caller: String) {
                group.addTask {
                    _ = try await queue.signOnThread(for: caller) {
                        sign.yield(caller)
                        return token
                    }
                }
            }
            for _ in 0..<40 { add("noisy") }
            while queue.waiting < 40, !Task.isCancelled { await Task.yield() }
            add("quiet")
            while queue.waiting < 41, !Task.isCancelled { await Task.yield() }
            thread.release()
            try await group.waitForAll()
        }
        sign.finish()
        let order = await signed.reduce(into: []) { $0.append($1) }
        #expect(order.firstIndex(of: "quiet") == 1)
    }

    @Test("After a pause of the machine signatures may wait")
    func aPauseCostsNoRefusal() async throws {
        let clock = TestClock()
        let queue = queue(threads: 1, clock: clock)
        let thread = await BusyThread(queue)
        let token = try token()
        let second = Task { try await queue.signOnThread(for: "a") { token } }
        while queue.waiting < 1, !Task.isCancelled { await Task.yield() }
        clock.advance(by: 5)
        let third = Task { try await queue.signOnThread(for: "a") { token } }
        while queue.waiting < 2, !Task.isCancelled { await Task.yield() }
        thread.release()
        for task in [second, third] { _ = try await task.value }
    }

    // MARK: Failures

    private func remoteQueue() -> SigningQueue {
        queue(threads: 1).remote(.iam, parallel: 1, duration: 1000)
    }

    @Test("A failed signature is measured as failed, and logged; the caller is told to retry")
    func failuresAreReported() async throws {
        let queue = remoteQueue()
        let failure = IAMError("Quota.", retry: .retryable(after: 7))
        await #expect {
            try await queue.sign(for: "a", account: "a@b.example") { throw failure }
        } throws: { error in
            let error = error as? TokenError
            return error?.reason == .signerUnavailable && error?.retryAfter == 7
        }
        let page = try ExpositionText(registry.render())
        #expect(page.value("fleet_token_sign_duration_seconds_count", ["signer": "iam", "result": "failed"]) == 1)
        #expect(recorder.lines.map(\.level) == [.error])
    }

    @Test("A self-test learns that Google is unavailable")
    func selfTestLearnsThatGoogleIsUnavailable() async throws {
        let queue = remoteQueue()
        await #expect(throws: TokenError.self) {
            try await queue.sign(for: nil, account: "a@b.example") { throw IAMError("Quota.") }
        }
    }
}
