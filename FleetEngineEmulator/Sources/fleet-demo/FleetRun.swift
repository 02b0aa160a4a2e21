import FleetEngineClient
import Foundation

/// Many vehicles, each with a trip that a rider follows, and the count of tokens that it takes.
struct FleetRun: Sendable {
    private let world: World
    private let count: Int
    private let faults: Faults
    private let duration: Double
    private let console: Console
    private let backend: Backend
    private let totals = Lock(Totals())

    private struct Totals: Sendable {
        var updates = 0
        var errors: [String: Int] = [:]
        var ended = 0
    }

    init(_ world: World, count: Int, faults: Faults, duration: Double) {
        self.world = world
        self.count = count
        self.faults = faults
        self.duration = duration
        console = Console(world.time)
        backend = Backend(server: world.server)
    }

    /// Lets the fleet drive.
    ///
    /// - Returns: Whether each rider followed to the end, and the tokens were as computed.
    func run() async throws -> Bool {
        let drivers = try (0..<count).map { number in
            Driver(try ResourceID("vehicle-\(number)"), city: City(number), world: world)
        }
        try await each(drivers) { driver, trip, city in
            try await backend.createVehicle(driver.vehicle)
            try await backend.createTrip(trip, city)
            try await backend.assign(trip, to: driver.vehicle)
        }
        console.say("backend", "created and assigned \(count) trips with one token of the kind server")
        let start = world.time.now
        let listeners = drivers.map { driver in Task { await listen(to: driver) } }
        let riders = try (0..<count).map { number in
            let trip = try ResourceID("trip-\(number)")
            return Task { await follow(trip) }
        }
        for driver in drivers { driver.begin() }
        let driving = drivers.map { driver in Task { try await driver.drive(toDropoff: false) } }
        let faulty = Task { try await world.emulator.inject(faults) }
        while world.time.now - start < duration {
            try await world.time.sleep(min(30, duration - (world.time.now - start)))
            report()
        }
        try await faulty.value
        try await world.emulator.send("DELETE", "faults")
        for task in driving { try await task.value }
        try await each(drivers) { _, trip, _ in try await backend.setStatus("COMPLETE", of: trip) }
        for rider in riders { await rider.value }
        for driver in drivers { await driver.end() }
        for listener in listeners { listener.cancel() }
        return try await conclude(drivers)
    }

    /// Does something for each vehicle, ten at a time.
    private func each(
        _ drivers: [Driver],
        _ body: @escaping @Sendable (Driver, ResourceID, City) async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (number, driver) in drivers.enumerated() {
                if number >= 10 { try await group.next() }
                group.addTask { try await body(driver, ResourceID("trip-\(number)"), City(number)) }
            }
            try await group.waitForAll()
        }
    }

    private func follow(_ id: ResourceID) async {
        for await event in world.engine.tripModel(for: id).updates {
            switch event {
            case .updated: totals.withLock { $0.updates += 1 }
            case .failed(let error): note(error)
            case .state(.inactive): totals.withLock { $0.ended += 1 }
            default: break
            }
        }
    }

    private func listen(to driver: Driver) async {
        for await case .failed(_, let error) in driver.reporter.events { note(error.underlyingError) }
    }

    private func note(_ error: FleetEngineError) {
        totals.withLock { $0.errors[error.code.description, default: 0] += 1 }
    }

    private func report() {
        let totals = totals.withLock { $0 }
        let errors = totals.errors.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
        console.say(
            "fleet",
            "\(totals.updates) changes seen; errors: \(errors.isEmpty ? "none" : errors); tokens: \(world.counts.current)"
        )
    }

    private func conclude(_ drivers: [Driver]) async throws -> Bool {
        report()
        let totals = totals.withLock { $0 }
        let tokens = world.counts.current
        let reports = drivers.map(\.reporter.statistics)
        let count = try await world.emulator.journal().count
        let refusals = try await world.emulator.refusals()
        console.say("summary", "requests to Fleet Engine: \(count); refused: \(refusals)")
        console.say(
            "summary",
            "vehicle updates: \(reports.reduce(0) { $0 + $1.succeededUpdates }) accepted, "
                + "\(reports.reduce(0) { $0 + $1.failedUpdates }) failed; riders at the end: \(totals.ended)"
        )
        // One token for each rider and each driver, and one for the backend; the run is shorter than a token's use.
        let expected = 2 * self.count + 1
        let isExact = tokens.minted == expected && tokens.refreshed == 0
        console.say(
            "summary",
            "tokens minted: \(tokens.minted), computed: \(expected); authentication failures in apps: "
                + "\(totals.errors["UNAUTHENTICATED"] ?? 0)"
        )
        let rejects = faults == .revokedKeys || faults == .skewed
        return totals.ended == self.count && isExact && (rejects || totals.errors["UNAUTHENTICATED"] == nil)
    }
}
