import ServiceLifecycle
import ServiceSupport
import TokenIssuance

extension CurrentService {
    /// Returns the components that run beside the listeners, each for the service in use.
    func components(reloadedBy triggers: @escaping Reloader.Triggers) -> [any Service] {
        showState()
        shared.metrics.reloads.started()
        let reloader = Reloader(
            service: self,
            files: started.files,
            triggers: triggers,
            status: shared.reloads,
            metrics: shared.metrics.reloads,
            logger: shared.logger
        )
        return [loaded.audit, reloader, keySetFetching, keyTest]
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
