import ArgumentParser
import FleetEngineClient

/// What the demo's trip and its delivery have in common: the driver's updates, refused requests, and the counts at the end.
struct Demo: Sendable {
    let engine: FleetEngine
    let tokens: DemoTokens
    let console = Console()

    var backend: Backend { Backend(engine: engine) }

    /// Prints a driver's first update, those that fail, and the last.
    func logUpdates(of driver: Driver) async {
        var isFirst = true
        let kind = driver.isDelivery ? "delivery_driver" : "driver"
        for await event in driver.reporter.events {
            switch event {
            case .succeeded(let update) where update.isLast:
                console.print("driver", "ended the shift: \(driver.vehicle) is offline")
            case .succeeded:
                if isFirst { console.print("driver", "reports \(driver.vehicle) with a token of the kind \(kind)") }
                isFirst = false
            case .failed(_, let error): console.print("driver", "\(error)")
            }
        }
    }

    /// Sends a request that must be refused, and prints why it was.
    ///
    /// - Throws: If it was not.
    func expectRefusal(_ text: String, _ request: () async throws(FleetEngineError) -> Void) async throws {
        do throws(FleetEngineError) {
            try await backend.retrying(request)
        } catch {
            return console.print("refused", "\(text): \(error.httpStatus ?? 0) \(error) [\(error.reason ?? "")]")
        }
        throw ValidationError("Not refused: \(text).")
    }

    /// Prints the counts of tokens and updates.
    func printCounts(_ driver: Driver) async {
        let reports = await driver.reporter.statistics
        console.print("summary", "tokens: \(tokens.summary)")
        console.print(
            "summary",
            "vehicle updates: \(reports.succeededUpdates) accepted, \(reports.failedUpdates) failed, "
                + "\(reports.emptyMaskUpdates) without a field"
        )
    }
}

extension VehicleUpdate {
    /// Whether this is a reporter's last update, which has a state and no location.
    fileprivate var isLast: Bool { vehicleState == .offline && location == nil }
}
