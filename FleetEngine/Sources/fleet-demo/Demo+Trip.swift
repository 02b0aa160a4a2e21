import FleetEngineClient

extension Demo {
    /// Drives a rider: the rider's app follows the trip, and Fleet Engine refuses what tokens don't allow.
    ///
    /// - Returns: Whether the trip was followed to its end.
    func runTrip() async throws -> Bool {
        let trip = "trip-1"
        let city = City()
        let driver = Driver("vehicle-1", city: city, engine: engine)
        try await backend.createVehicle(driver.vehicle)
        try await backend.createTrip(trip, city)
        console.print("backend", "created vehicle-1 and trip-1 with a token of the kind server")

        let rider = Task { await follow(trip) }
        let log = Task { await logUpdates(of: driver) }
        await driver.start()
        try await expectRefusals(trip, driver.vehicle)
        try await backend.assign(trip, to: driver.vehicle)
        try await driver.drive(toDropoff: false)
        try await backend.setStatus("ARRIVED_AT_PICKUP", of: trip)
        try await Task.sleep(for: .seconds(12))
        try await backend.setStatus("ENROUTE_TO_DROPOFF", of: trip)
        try await driver.drive(toDropoff: true)
        try await backend.setStatus("COMPLETE", of: trip)

        let last = await rider.value
        await driver.stop()
        log.cancel()
        await log.value
        await printCounts(driver)
        return last == .complete
    }

    /// The rider's app: follows the trip to its end.
    private func follow(_ id: String) async -> TripStatus {
        var last = Trip(name: "")
        for await event in engine.updates(ofTrip: id) {
            switch event {
            case .updated(let trip):
                if trip.tripStatus != last.tripStatus {
                    console.print("rider", "the trip is \(trip.tripStatus)\(console.distanceAndTime(trip))")
                } else if trip.activeRouteRemainingDistance != last.activeRouteRemainingDistance {
                    console.print("rider", "sees the vehicle\(console.distanceAndTime(trip))")
                }
                last = trip
            case .failed(let error): console.print("rider", "\(error)")
            case .state(let state): console.print("rider", state == .active ? "follows trip-1" : "stops following")
            case .recovered: break
            }
        }
        return last.tripStatus
    }

    private func expectRefusals(_ trip: String, _ vehicle: String) async throws {
        try await expectRefusal("a rider reads another's trip") { () throws(FleetEngineError) in
            try await engine.send("GET", path: ["trips", "trip-2"], purpose: .trip(trip))
        }
        try await expectRefusal("a rider cancels the trip") { () throws(FleetEngineError) in
            let (mask, body): (KeyValuePairs, _) = (["updateMask": "tripStatus"], #"{"tripStatus":"CANCELED"}"#)
            try await engine.send("PUT", path: ["trips", trip], query: mask, body: body, purpose: .trip(trip))
        }
        try await expectRefusal("a driver reads another's vehicle") { () throws(FleetEngineError) in
            try await engine.send("GET", path: ["vehicles", "vehicle-2"], purpose: .vehicle(vehicle))
        }
    }
}
