import ArgumentParser
import FleetEngineClient
import Foundation

/// Tells a story, and what both stories have in common: the driver, what Fleet Engine refuses, the faults, and the figures.
struct Narrator: Sendable {
    let console: Console
    let world: World
    let backend: Backend
    private let faults: Faults

    init(_ world: World, faults: Faults) {
        self.world = world
        self.faults = faults
        backend = Backend(engine: world.engine)
        console = Console(world.time)
    }

    /// Says what happens to a driver's updates.
    func tell(of driver: Driver) async {
        var isFirst = true
        let kind = driver.isDelivery ? "delivery_driver" : "driver"
        for await event in driver.reporter.events {
            switch event {
            case .succeeded:
                if isFirst { console.say("driver", "reports \(driver.vehicle) with a token of the kind \(kind)") }
                isFirst = false
            case .failed(_, let error):
                console.say("driver", error.isEmptyMask ? "update without a field: \(error)" : "\(error)")
            @unknown default: break
            }
        }
    }

    /// Sends a request that must be refused, and says why it was.
    ///
    /// - Throws: If it was not.
    func refuse(_ text: String, _ request: () async throws -> Void) async throws {
        do {
            try await request()
        } catch let refusal as FleetEngineError {
            return console.say("refused", "\(text): \(refusal.httpStatus ?? 0) \(refusal) [\(refusal.reason ?? "")]")
        }
        throw ValidationError("Not refused: \(text).")
    }

    /// Lets something go wrong after 15 seconds.
    func injectFaults() async throws {
        guard faults != .healthy else { return }
        try await world.time.sleep(15)
        console.say("faults", "\(faults.rawValue) from here on")
        try await world.emulator.inject(faults)
    }

    /// Prints the counts of tokens and updates.
    func conclude(_ driver: Driver) {
        let reports = driver.reporter.statistics
        console.say("summary", "tokens: \(world.tokens.summary)")
        console.say(
            "summary",
            "vehicle updates: \(reports.succeededUpdates) accepted, \(reports.failedUpdates) failed, "
                + "\(reports.emptyMaskUpdates) without a field"
        )
    }
}
