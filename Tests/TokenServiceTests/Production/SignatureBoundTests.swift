import Dispatch
import FleetToken
import Logging
import ServiceSupport
import TestTraits
import Testing

@testable import ServiceConfiguration
@testable import TokenIssuance
@testable import TokenMinting
@testable import TokenService

/// The bound on signatures, in the service as it is put together.
@Suite(.watchdog)
struct SignatureBoundTests {
    @Test("Of ten requests, two may wait for the only thread, and the others are refused without a signature")
    func whatIsOneTooManyIsRefused() async throws {
        try await KeySite.with { site in
            try site.populate()
            let yaml = try ConfigurationText.read(site.path("tokend.yaml"))
            let configuration = try ProductionConfiguration(yaml: yaml, path: "tokend.yaml")
            let shared = SharedResources(
                network: .none,
                signingThreads: 1,
                admission: AdmissionLimits(count: 3),
                logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
                clock: .system
            )
            let loaded = LoadedConfiguration(configuration, at: site.path("tokend.yaml"), shared)
            let minter = try #require(LoadedService(loaded, shared)).issuance.minter
            let release = DispatchSemaphore(value: 0)
            let (begun, begin) = AsyncStream.makeStream(of: Void.self)
            async let busy: Void? = try? await shared.signing.signOnThread(for: nil) {
                begin.finish()
                // A watchdog: where nothing is refused, all get their tokens in the end.
                _ = release.wait(timeout: .now() + 20)
                throw CancellationError()
            }
            for await _ in begun {}
            let (refused, minted) = try await withThrowingTaskGroup(of: Bool.self) { group in
                for id in 0..<10 {
                    group.addTask {
                        do {
                            let scope = TokenScope.driver(vehicle: try ResourceID("v-\(id)"))
                            let now = NumericDate(seconds: 1_800_000_000)
                            _ = try await minter.token(for: scope, for: "a", now: now)
                            return true
                        } catch let error as AdmissionRefusal where error.cause == .queueSize {
                            return false
                        }
                    }
                }
                var (refused, minted) = (0, 0)
                for try await isMinted in group {
                    if isMinted { minted += 1 } else { refused += 1 }
                    if refused == 8 { release.signal() }
                }
                return (refused, minted)
            }
            #expect((refused, minted) == (8, 2))
            _ = await busy
        }
    }
}
