import Dispatch
import FleetToken
import Logging
import ServiceSupport
import TestTraits
import Testing
import TokenMinting

@testable import HTTPServer
@testable import ServiceConfiguration
@testable import TokenIssuance
@testable import TokenService

/// The bound on signatures, in the service as it is put together.
@Suite(.watchdog)
struct SignatureBoundTests {
    private func service(_ site: KeySite, signatures: Int, _ threads: SigningThreads) throws -> LoadedService {
        try site.populate()
        try site.configure { $0["limits"] = ["signatures": signatures] }
        let yaml = try OperatorFile.read(site.path("tokend.yaml"))
        let configuration = try ProductionConfiguration(yaml: yaml, path: "tokend.yaml")
        let shared = shared(threads)
        let loaded = LoadedConfiguration(configuration, at: site.path("tokend.yaml"), shared)
        return try #require(LoadedService(loaded, shared))
    }

    private func shared(_ threads: SigningThreads? = nil) -> SharedResources {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        guard let threads else {
            return SharedResources(network: .none, signing: .init(batch: .off), logger: logger, clock: .system)
        }
        return SharedResources(
            network: .none,
            signing: .init(batch: .off),
            threads: threads,
            logger: logger,
            clock: .system
        )
    }

    @Test func thereIsAThreadForEachProcessor() {
        #expect(shared().threads.count == ServiceThreads.count)
    }

    /// Ten ask for tokens while no thread can sign, and two may wait.
    @Test func whatIsOneTooManyIsRefusedWithoutASignature() async throws {
        try await KeySite.with { site in
            let release = DispatchSemaphore(value: 0)
            let threads = SigningThreads(count: 2, batches: BatchTrial.off, clock: .system) { _ in
                // A watchdog: where nothing is refused, all get their tokens in the end.
                _ = release.wait(timeout: .now() + 20)
            }
            let minter = try service(site, signatures: 2, threads).issuance.minter
            let (refused, minted) = try await withThrowingTaskGroup(of: Bool.self) { group in
                for id in 0..<10 {
                    group.addTask {
                        do {
                            let scope = TokenScope.driver(vehicle: try ResourceID("v-\(id)"))
                            let (flow, now) = (Flow(caller: "a", subject: ""), NumericDate(seconds: 1_800_000_000))
                            _ = try await minter.token(for: scope, for: flow, now: now)
                            return true
                        } catch let error as AdmissionRefusal where error.cause == .queueSize {
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
}
