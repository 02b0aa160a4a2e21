import Dispatch
import FleetToken
import Logging
import Synchronization
import Testing
import TokenMinting

@testable import HTTPServer
@testable import ServiceConfiguration
@testable import TokenIssuance
@testable import TokenService

/// The bound on signatures, in the service as it is put together.
@Suite(.timeLimit(.minutes(1)))
struct SignatureBoundTests {
    private let time = Time()

    /// A clock that a test sets.
    private final class Time: Sendable {
        private let nanoseconds = Mutex<Int64>(0)
        func advance(by delta: Int64) { nanoseconds.withLock { $0 += delta } }
        var now: Int64 { nanoseconds.withLock { $0 } }
    }

    private func parts(_ site: KeySite, signatures: Int, _ threads: SigningThreads) throws -> ServiceComponents {
        try site.populate()
        try site.configure { $0["limits"] = ["signatures": signatures] }
        let yaml = try OperatorFile.read(site.path("tokend.yaml"))
        let configuration = try ProductionConfiguration(yaml: yaml, path: "tokend.yaml")
        return ServiceComponents(configuration, at: site.path("tokend.yaml"), shared(threads))
    }

    private func shared(_ threads: SigningThreads? = nil) -> SharedResources {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let now = NumericDate(seconds: 1_800_000_000)
        guard let threads else {
            return SharedResources(network: .none, signing: .init(batch: .off), logger: logger, now: { now })
        }
        return SharedResources(
            network: .none,
            signing: .init(batch: .off),
            threads: threads,
            logger: logger,
            monotonic: { [time] in time.now },
            now: { now }
        )
    }

    @Test func thereIsAThreadForEachProcessor() {
        #expect(shared().threads.count == ServiceThreads.count)
    }

    /// Ten ask for tokens while no thread can sign, and two may wait.
    @Test func whatIsOneTooManyIsRefusedWithoutASignature() async throws {
        try await KeySite.with { site in
            let release = DispatchSemaphore(value: 0)
            let threads = SigningThreads(count: 2, batches: BatchTrial.off) { _ in
                // A watchdog: where nothing is refused, all get their tokens in the end.
                _ = release.wait(timeout: .now() + 20)
            }
            let parts = try parts(site, signatures: 2, threads)
            let minter = try #require(parts.issuance).minter
            let (refused, minted) = try await withThrowingTaskGroup(of: Bool.self) { group in
                for id in 0..<10 {
                    group.addTask {
                        do {
                            let scope = TokenScope.driver(vehicle: try ResourceID("v-\(id)"))
                            _ = try await minter.token(for: scope, now: NumericDate(seconds: 1_800_000_000))
                            return true
                        } catch let error as TokenError where error.reason == .overloaded {
                            return false
                        }
                    }
                }
                var (refused, minted) = (0, 0)
                for try await isMinted in group {
                    if isMinted { minted += 1 } else { refused += 1 }
                    if refused == 8 { for _ in 0..<threads.count { release.signal() } }
                }
                return (refused, minted)
            }
            #expect((refused, minted) == (8, 2))
        }
    }

    /// 16 for each thread may wait for long, and as many as there are threads wait for nobody.
    @Test func waitingSignaturesAreAsManyAsTheThreadsSignSoon() async throws {
        try await KeySite.with { site in
            let gate = try parts(site, signatures: 100, SigningThreads(count: 3, batches: BatchTrial.off)).gate
            let (open, opener) = AsyncStream.makeStream(of: Void.self)
            let (inside, entered) = AsyncStream.makeStream(of: Bool.self)
            var arrivals = inside.makeAsyncIterator()
            try await withThrowingTaskGroup(of: Void.self) { group in
                func enter(_ count: Int) async {
                    for _ in 0..<count {
                        group.addTask {
                            do {
                                try await gate.pass {
                                    entered.yield(true)
                                    for await _ in open { break }
                                }
                            } catch {
                                entered.yield(false)
                            }
                        }
                        #expect(await arrivals.next() == true)
                    }
                }
                func leave(_ count: Int) async throws {
                    for _ in 0..<count {
                        opener.yield()
                        try await group.next()
                    }
                }
                await enter(3)
                // The fourth finds three before it, and so no empty queue.
                time.advance(by: SignatureGate.patience - 1)
                await enter(45)
                time.advance(by: 1)
                await #expect(throws: TokenError.self) { try await gate.pass {} }
                try await leave(1)
                try await gate.pass {}

                // The third finds two before it: the queue is empty, and a burst may come.
                try await leave(45)
                time.advance(by: SignatureGate.patience + SignatureGate.calm)
                await enter(71)
                opener.finish()
                try await group.waitForAll()
            }
        }
    }
}
