import ExpiringCache
import FleetEngineClient
import Foundation

/// Tells of one trip: what the rider's app hears, and what Fleet Engine refuses.
struct Story: Sendable {
    private let world: World
    private let faults: Faults
    private let console: Console
    private let backend: Backend

    init(_ world: World, faults: Faults) {
        self.world = world
        self.faults = faults
        console = Console(world.time)
        backend = Backend(engine: world.engine)
    }

    /// Tells it.
    ///
    /// - Returns: Whether the trip was followed to its end.
    func tell() async throws -> Bool {
        let trip = try ResourceID("trip-1")
        let city = City()
        let driver = Driver(try ResourceID("vehicle-1"), city: city, world: world)
        try await backend.createVehicle(driver.vehicle)
        try await backend.createTrip(trip, city)
        console.say("backend", "created vehicle-1 and trip-1 with a token of the kind server")

        let rider = Task { await follow(trip) }
        let reports = Task { await tell(of: driver) }
        driver.begin()
        try await refuse(trip, driver.vehicle)
        let faulty = Task { try await injectFaults() }

        try await backend.assign(trip, to: driver.vehicle)
        try await drive(driver, toDropoff: false)
        try await backend.setStatus("ARRIVED_AT_PICKUP", of: trip)
        try await world.time.sleep(12)
        try await backend.setStatus("ENROUTE_TO_DROPOFF", of: trip)
        try await drive(driver, toDropoff: true)
        try await backend.setStatus("COMPLETE", of: trip)

        let last = await rider.value
        driver.end()
        await driver.waitUntilOffline()
        try await faulty.value
        reports.cancel()
        try await conclude(driver)
        return last == .complete
    }

    /// The rider's app: follows the trip to its end.
    private func follow(_ id: ResourceID) async -> TripStatus {
        var last = TripStatus.unknown
        for await event in world.engine.tripModel(for: id).updates {
            switch event {
            case .updated(let trip, let fields):
                last = trip.tripStatus
                if fields.contains(.tripStatus) {
                    console.say("rider", "the trip is \(trip.tripStatus)\(console.outlook(trip))")
                } else if fields.contains(.remainingDistanceOfActiveRouteInMeters) {
                    console.detail("rider", "sees the vehicle\(console.outlook(trip))")
                }
            case .failed(let error): console.say("rider", "\(error) (\(error.recovery))")
            case .state(let state): console.say("rider", state == .active ? "follows trip-1" : "stops following")
            @unknown default: break
            }
        }
        return last
    }

    private func tell(of driver: Driver) async {
        var isFirst = true
        for await event in driver.reporter.events {
            switch event {
            case .succeeded(let update):
                if isFirst { console.say("driver", "reports vehicle-1 with a token of the kind driver") }
                isFirst = false
                if update.location == nil { console.say("driver", "ended the shift: vehicle-1 is offline") }
            case .failed(_, let error):
                console.say("driver", error.isEmptyMask ? "update without a field: \(error)" : "\(error)")
            @unknown default: break
            }
        }
    }

    private func drive(_ driver: Driver, toDropoff: Bool) async throws {
        let bar = Task {
            while !Task.isCancelled {
                console.bar(driver.progress, toDropoff ? "to the drop-off" : "to the pickup")
                try await world.time.sleep(1)
            }
        }
        try await driver.drive(toDropoff: toDropoff)
        bar.cancel()
        console.endBar()
    }

    /// Shows that tokens open what they are for, and nothing else.
    private func refuse(_ trip: ResourceID, _ vehicle: ResourceID) async throws {
        let other = try ResourceID("trip-2")
        let cancel = Array(#"{"tripStatus":"CANCELED"}"#.utf8)
        let attempts: [(String, EngineRequest)] = [
            (
                "a rider reads another's trip",
                EngineRequest(path: ["trips", other.rawValue], scope: .consumer(trip: trip))
            ),
            (
                "a rider cancels the trip",
                EngineRequest(
                    method: "PUT",
                    path: ["trips", trip.rawValue],
                    query: [("updateMask", "tripStatus")],
                    body: cancel,
                    scope: .consumer(trip: trip)
                )
            ),
            (
                "a driver reads another's vehicle",
                EngineRequest(path: ["vehicles", "vehicle-2"], scope: .driver(vehicle: vehicle))
            ),
        ]
        for (text, request) in attempts {
            do {
                _ = try await world.engine.send(request)
                console.say("refused", "NOT REFUSED: \(text)")
            } catch {
                let rule = try await world.emulator.lastRefusal()?.rule ?? ""
                console.say("refused", "\(text): \(error.httpStatus ?? 0) \(error) [\(rule)]")
            }
        }
    }

    private func injectFaults() async throws {
        guard faults != .healthy else { return }
        try await world.time.sleep(15)
        console.say("faults", "\(faults.rawValue) from here on")
        try await world.emulator.inject(faults)
    }

    private func conclude(_ driver: Driver) async throws {
        let reports = driver.reporter.statistics
        let refusals = try await world.emulator.refusals().map { "\($0.rule) \($0.count)" }.joined(separator: ", ")
        console.say("summary", "tokens: \(world.counts.current)")
        console.say(
            "summary",
            "vehicle updates: \(reports.succeededUpdates) accepted, \(reports.failedUpdates) failed, "
                + "\(reports.emptyMaskUpdates) without a field"
        )
        let count = try await world.emulator.requestCount()
        console.say("summary", "requests to Fleet Engine: \(count); refused: \(refusals.isEmpty ? "none" : refusals)")
    }
}

extension Driver {
    /// Waits until the offline update has an outcome.
    func waitUntilOffline() async {
        let before = reporter.statistics
        for _ in 0..<100 where reporter.statistics == before {
            try? await Task.sleep(for: .milliseconds(50))
        }
    }
}
