import FleetToken
import Logging
import ServiceLifecycle
import ServiceSupport
import TokenIssuance
import TokenMinting

extension CurrentService {
    /// Returns the components that run beside the listeners, each for the service in use.
    func components(_ reloader: Reloader) -> [any Service] {
        [loaded.audit, reloader, keySetFetching, keyTest]
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

extension Reloader {
    /// Creates the reloader of the service in use.
    init(of current: CurrentService, triggers: @escaping Triggers) {
        let shared = current.shared
        let show = { @Sendable in
            let (loaded, now) = (current.loaded, shared.clock.now)
            shared.metrics.keys.show(loaded.signers, logger: shared.logger)
            shared.metrics.keySets.show(loaded.authenticator.jwts.remoteIssuers)
            shared.metrics.credentials.show(loaded.parts.credentials, at: now)
        }
        show()
        shared.metrics.reloads.started()
        self.init(
            files: current.mode.files,
            triggers: triggers,
            reload: current.reload,
            onTick: show,
            status: shared.reloads,
            clock: shared.clock,
            metrics: shared.metrics.reloads,
            logger: shared.logger
        )
    }
}
