import Logging
import ServiceLifecycle
import ServiceSupport
import TokenIssuance
import TokenMinting
import UnixSignals

extension CurrentService {
    /// Returns the components that run beside the listeners, each for the service in use.
    func components(reloadedBy signals: UnixSignalsSequence) -> [any Service] {
        showState()
        shared.metrics.reloads.started()
        let reloader = Reloader(self)
        let requests = BackgroundWork(description: "ReloadRequests") { await reloader.follow(signals) }
        return [loaded.audit, reloader, requests, keySetFetching, signingTest]
    }

    /// Tests the keys that could not be tested when they were loaded, until all have signed.
    private var signingTest: BackgroundWork {
        BackgroundWork("SigningTest", every: .seconds(2), clock: shared.clock) { [shared] in
            let test = self.loaded.signingTest
            guard !test.failing.isEmpty else { return }
            let (problems, outages) = await test.run(at: shared.clock.now)
            for problem in problems + outages {
                shared.logger.error("A key failed the signing test.", metadata: ["problem": "\(problem)"])
            }
        }
    }

    /// Fetches the keys of issuers before a request needs them, again and again: keys expire, and a reload may add issuers.
    private var keySetFetching: BackgroundWork {
        BackgroundWork("KeySets", every: .seconds(2), clock: shared.clock) { await self.fetchIssuersKeys() }
    }
}
