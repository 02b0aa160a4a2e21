import FleetToken
import Logging
import ServiceSupport
import TokenIssuance
import TokenMinting

// The components that run beside the listeners, each for the service in use: a new one is an initializer here, and an
// element of the list in `ProductionMode`.

extension RefusalReporter {
    init(of current: CurrentService) {
        let shared = current.shared
        self.init(tally: shared.tally, audit: { current.loaded.audit }, clock: shared.clock, logger: shared.logger)
    }
}

extension BackgroundWork {
    /// Fails requests that have waited for the audit trail for too long.
    init(watchingAuditOf current: CurrentService) {
        self.init("AuditWatch", every: .milliseconds(250), clock: current.shared.clock) {
            current.loaded.audit.expire()
        }
    }

    /// Tests the keys that could not be tested when they were loaded, until all have signed.
    init(testingKeysOf current: CurrentService) {
        let shared = current.shared
        self.init("KeyTest", every: .seconds(2), clock: shared.clock) {
            let loaded = current.loaded
            guard !loaded.failingKinds.isEmpty else { return }
            let test = await SigningTest(of: loaded.rings, at: shared.clock.now)
            for problem in test.problems {
                shared.logger.error("A key failed the signing test.", metadata: ["problem": "\(problem)"])
            }
            loaded.failingKinds = test.failing
        }
    }

    /// Fetches the keys of issuers before a request needs them, again and again: keys expire, and a reload may add issuers.
    ///
    /// Readiness waits for no issuer: an unavailable one affects only its own callers.
    init(fetchingKeysOf current: CurrentService) {
        self.init("KeySets", every: .seconds(2), clock: current.shared.clock) {
            _ = await current.loaded.authenticator.tokens.prepare()
        }
    }
}

extension Reloader {
    /// - Parameters:
    ///   - current: The service in use.
    ///   - files: The files as they were before they were read.
    ///   - triggers: Sends the times to look at the files.
    ///   - manager: Is told of reloads, if it expects notifications.
    init(of current: CurrentService, files: FileSnapshot, triggers: @escaping Triggers, manager: ServiceManager?) {
        let shared = current.shared
        let show = { @Sendable in
            let (loaded, now) = (current.loaded, shared.clock.now)
            shared.metrics.keys.show(loaded.rings, at: now, logger: shared.logger)
            shared.metrics.credentials.show(loaded.parts.credentials, at: now)
        }
        show()
        shared.metrics.lastReload.set(Double(shared.clock.now.seconds))
        self.init(
            files: files,
            triggers: triggers,
            reload: {
                guard let manager else { return await current.reload() }
                return await manager.reloading(current.reload)
            },
            onTick: show,
            clock: shared.clock,
            metrics: shared.metrics,
            logger: shared.logger
        )
    }
}
