import ServiceLifecycle
import ServiceSupport
import TokenIssuance
import UnixSignals

extension CurrentService {
    /// Returns the components that run beside the listeners, each for the service in use.
    func components(reloadedBy signals: UnixSignalsSequence) -> [any Service] {
        showState()
        shared.metrics.reloads.started()
        let reloader = Reloader(
            self,
            files: started.files,
            status: shared.reloads,
            metrics: shared.metrics.reloads,
            clock: shared.clock,
            logger: shared.logger
        )
        let requests = BackgroundWork(description: "ReloadRequests") { await reloader.follow(signals) }
        return [loaded.audit, reloader, requests, keySetFetching, keyTest]
    }

    /// Tests the keys that could not be tested when they were loaded, until all have signed.
    private var keyTest: BackgroundWork {
        BackgroundWork("KeyTest", every: .seconds(2), clock: shared.clock) { [shared] in
            await self.loaded.keyTest.repeatIfFailing(at: shared.clock.now, logger: shared.logger)
        }
    }

    /// Fetches the keys of issuers before a request needs them, again and again: keys expire, and a reload may add issuers.
    private var keySetFetching: BackgroundWork {
        BackgroundWork("KeySets", every: .seconds(2), clock: shared.clock) { await self.fetchIssuersKeys() }
    }
}
