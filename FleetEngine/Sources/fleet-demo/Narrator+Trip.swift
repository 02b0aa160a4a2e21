import FleetEngineClient
import Foundation

extension Narrator {
    /// Tells of one trip: what the rider's app hears, and what Fleet Engine refuses.
    ///
    /// - Returns: Whether the trip was followed to its end.
    func tellOfTrip() async throws -> Bool {
        let trip = "trip-1"
        let city = City()
        let driver = Driver("vehicle-1", city: city, world: world)
        try await backend.createVehicle(driver.vehicle)
        try await backend.createTrip(trip, city)
        console.say("backend", "created vehicle-1 and trip-1 with a token of the kind server")

        let rider = Task { await follow(trip) }
        let reports = Task { await tell(of: driver) }
        driver.begin()
        try await refuse(trip, driver.vehicle)
        try await backend.assign(trip, to: driver.vehicle)
        let faulty = Task { try await injectFaults() }
        try await driver.drive(toDropoff: false)
        try await backend.setStatus("ARRIVED_AT_PICKUP", of: trip)
        try await world.time.sleep(12)
        try await backend.setStatus("ENROUTE_TO_DROPOFF", of: trip)
        try await driver.drive(toDropoff: true)
        try await backend.setStatus("COMPLETE", of: trip)

        let last = await rider.value
        if await driver.end() { console.say("driver", "ended the shift: \(driver.vehicle) is offline") }
        try await faulty.value
        reports.cancel()
        await reports.value
        conclude(driver)
        return last == .complete
    }

    /// The rider's app: follows the trip to its end.
    private func follow(_ id: String) async -> TripStatus {
        var last = Trip(name: "")
        for await event in world.engine.tripModel(for: id).updates {
            switch event {
            case .updated(let trip):
                if trip.tripStatus != last.tripStatus {
                    console.say("rider", "the trip is \(trip.tripStatus)\(console.outlook(trip))")
                } else if trip.activeRouteRemainingDistance != last.activeRouteRemainingDistance {
                    console.detail("rider", "sees the vehicle\(console.outlook(trip))")
                }
                last = trip
            case .failed(let error): console.say("rider", "\(error)")
            case .state(let state): console.say("rider", state == .active ? "follows trip-1" : "stops following")
            default: break
            }
        }
        return last.tripStatus
    }

    /// Shows that tokens open what they are for, and nothing else.
    private func refuse(_ trip: String, _ vehicle: String) async throws {
        let engine = world.engine
        try await refuse("a rider reads another's trip") {
            try await engine.send("GET", "trips/trip-2", purpose: .trip(trip))
        }
        try await refuse("a rider cancels the trip") {
            let (mask, body) = (["updateMask": "tripStatus"], #"{"tripStatus":"CANCELED"}"#)
            try await engine.send("PUT", "trips/\(trip)", query: mask, body: body, purpose: .trip(trip))
        }
        try await refuse("a driver reads another's vehicle") {
            try await engine.send("GET", "vehicles/vehicle-2", purpose: .vehicle(vehicle))
        }
    }
}
