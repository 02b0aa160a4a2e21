import Dispatch
import FleetToken
import Logging
import ServiceSupport
import TestSupport
import TestTools
import Testing

@testable import TokenMinting

@Suite(.watchdog)
struct SigningPoolTests {
    private let prometheus = PrometheusMetrics()
    private let recorder = RecordedLog()

    private func pool(threads: Int, clock: TestClock = TestClock()) -> SigningPool {
        return SigningPool(threads: threads, metrics: prometheus, logger: recorder.logger, clock: clock.service)
    }

    private func token() throws -> SignedToken { SignedToken(token: Secret("token"), jwk: try Accounts.first().jwk) }

    // MARK: Threads

    @Test(arguments: [1, 3])
    func `A thousand signatures are made, and each task gets its own or is cancelled`(threads: Int) async throws {
        let signer = LocalSigner(try Accounts.first(), pool: pool(threads: threads))
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
        let page = try ExpositionText(prometheus.page())
        let count = page.value("fleet_token_sign_duration_seconds_count", ["signer": "local", "result": "signed"])
        #expect(count == Double(signed))
    }

    @Test
    func `There are as many threads as requested: each signature waits until all have begun`() async throws {
        let arrived = DispatchGroup()
        for _ in 0..<3 { arrived.enter() }
        let pool = pool(threads: 3)
        let token = try token()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<3 {
                group.addTask {
                    _ = try await pool.run(for: "a") {
                        arrived.leave()
                        #expect(arrived.wait(timeout: .now() + 20) == .success)
                        return token
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    /// A pool's only thread, which makes a signature until it is released, and another one that is next.
    private struct BusyThread {
        private let semaphore = DispatchSemaphore(value: 0)
        private let tasks: [Task<Void, Never>]

        init(_ pool: SigningPool) async {
            let (begun, begin) = AsyncStream.makeStream(of: Void.self)
            let sign = { @Sendable [semaphore] in
                begin.finish()
                semaphore.wait()
                semaphore.signal()
            }
            tasks = (0..<2).map { _ in Task { _ = try? await pool.run(for: "noisy", sign) } }
            for await _ in begun {}
        }

        func release() async {
            semaphore.signal()
            for task in tasks { await task.value }
        }
    }

    @Test
    func `A quiet caller's signature is made next, although a noisy caller's wait`() async throws {
        let pool = pool(threads: 1)
        let thread = await BusyThread(pool)
        let (signed, sign) = AsyncStream.makeStream(of: String.self)
        let token = try token()
        try await withThrowingTaskGroup(of: Void.self) { group in
            func add(_ caller: String) {
                group.addTask {
                    _ = try await pool.run(for: caller) {
                        sign.yield(caller)
                        return token
                    }
                }
            }
            for _ in 0..<40 { add("noisy") }
            while pool.waiting < 40, !Task.isCancelled { await Task.yield() }
            add("quiet")
            while pool.waiting < 41, !Task.isCancelled { await Task.yield() }
            await thread.release()
            try await group.waitForAll()
        }
        sign.finish()
        let order = await signed.reduce(into: []) { $0.append($1) }
        // The thread has a second one at hand, and two that are admitted at once reach it in either order.
        #expect(try #require(order.firstIndex(of: "quiet")) <= 2)
    }

    @Test func signatureThatIsMadeIsDeliveredWhileOthersAreMade() async throws {
        let pool = pool(threads: 2)
        let thread = DispatchSemaphore(value: 0)
        let slow = Task { try await pool.run(for: "a") { thread.wait() } }
        #expect(try await pool.run(for: "a") { 1 } == 1)
        thread.signal()
        try await slow.value
    }

    @Test func poolThatIsReleasedEndsItsThreads() async throws {
        weak var released: SigningPool?
        do {
            let pool = pool(threads: 2)
            released = pool
            #expect(try await pool.run(for: nil) { 1 } == 1)
        }
        #expect(released == nil)
    }
}
