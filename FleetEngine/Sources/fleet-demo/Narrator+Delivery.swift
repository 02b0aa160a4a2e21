import FleetEngineClient

extension Narrator {
    /// Tells of one parcel: what its recipient sees while a van delivers it.
    ///
    /// - Returns: Whether the recipient saw the parcel delivered.
    func tellOfDelivery() async throws -> Bool {
        let parcel = "parcel-1"
        let city = City()
        let driver = Driver("van-1", city: city, world: world, isDelivery: true)
        try await backend.createDelivery(driver.vehicle, parcel, to: city.pickup)
        console.say("backend", "created van-1 and parcel-1 with a token of the kind delivery_server")
        let recipient = Task { await follow(parcel) }
        let reports = Task { await tell(of: driver) }
        driver.begin()
        try await refuse(parcel, driver.vehicle)
        try await backend.setStop("ENROUTE", of: driver.vehicle, parcel, at: city.pickup)
        let faulty = Task { try await injectFaults() }
        try await driver.drive(toDropoff: false)
        try await backend.setStop("ARRIVED", of: driver.vehicle, parcel, at: city.pickup)
        try await world.time.sleep(12)
        try await backend.setDelivered(parcel)
        try await backend.setStop(nil, of: driver.vehicle, parcel, at: city.pickup)
        let outcome = await recipient.value
        await driver.end()
        try await faulty.value
        reports.cancel()
        await reports.value
        conclude(driver)
        return outcome == .succeeded
    }

    /// Shows that tokens open what they are for, and nothing else.
    private func refuse(_ parcel: String, _ vehicle: String) async throws {
        let engine = world.engine
        try await refuse("a recipient tracks another's parcel") {
            try await engine.send("GET", "taskTrackingInfo/parcel-2", purpose: .shipment(parcel))
        }
        try await refuse("a driver creates a vehicle") {
            let id = ["deliveryVehicleId": vehicle]
            try await engine.send("POST", "deliveryVehicles", query: id, body: "{}", purpose: .deliveryVehicle(vehicle))
        }
    }

    /// The recipient's page: follows the parcel until it is delivered.
    private func follow(_ id: String) async -> TaskOutcome {
        var last = TaskTrackingInfo(trackingID: id)
        for await event in world.engine.shipmentModel(for: id).updates {
            switch event {
            case .updated(let shipment):
                let stops = shipment.remainingStopCount.map { ", stops until it: \($0)" } ?? ""
                let distance = shipment.remainingDrivingDistance.map { ", \($0) m away" } ?? ""
                if shipment.state != last.state || shipment.remainingStopCount != last.remainingStopCount {
                    let outcome = shipment.outcome == .unknown ? "" : ", delivery \(shipment.outcome)"
                    console.say("recipient", "the parcel is \(shipment.state)\(outcome)\(stops)\(distance)")
                } else {
                    console.detail("recipient", "sees the van\(distance)")
                }
                last = shipment
            case .failed(let error): console.say("recipient", "\(error)")
            case .state(let state):
                console.say("recipient", state == .active ? "follows parcel-1" : "stops following")
            default: break
            }
        }
        return last.outcome
    }
}
