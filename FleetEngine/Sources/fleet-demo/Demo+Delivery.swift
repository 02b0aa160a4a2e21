import FleetEngineClient

extension Demo {
    /// Delivers a parcel: its recipient follows it, and Fleet Engine refuses what tokens don't allow.
    ///
    /// - Returns: Whether the recipient saw the parcel delivered.
    func runDelivery() async throws -> Bool {
        let parcel = "parcel-1"
        let city = City()
        let driver = Driver("van-1", city: city, engine: engine, isDelivery: true)
        try await backend.createDelivery(driver.vehicle, parcel, to: city.pickup)
        console.print("backend", "created van-1 and parcel-1 with a token of the kind delivery_server")
        let recipient = Task { await follow(parcel) }
        let log = Task { await logUpdates(of: driver) }
        await driver.start()
        try await expectRefusals(parcel, driver.vehicle)
        try await backend.setStop("ENROUTE", of: driver.vehicle, parcel, at: city.pickup)
        try await driver.drive(toDropoff: false)
        try await backend.setStop("ARRIVED", of: driver.vehicle, parcel, at: city.pickup)
        try await Task.sleep(for: .seconds(12))
        try await backend.setDelivered(parcel)
        try await backend.setStop(nil, of: driver.vehicle, parcel, at: city.pickup)
        let outcome = await recipient.value
        await driver.stop()
        log.cancel()
        await log.value
        await printCounts(driver)
        return outcome == .succeeded
    }

    private func expectRefusals(_ parcel: String, _ vehicle: String) async throws {
        try await expectRefusal("a recipient tracks another's parcel") { () throws(FleetEngineError) in
            try await engine.send("GET", path: ["taskTrackingInfo", "parcel-2"], purpose: .shipment(parcel))
        }
        try await expectRefusal("a driver creates a vehicle") { () throws(FleetEngineError) in
            let id: KeyValuePairs = ["deliveryVehicleId": vehicle]
            let purpose = TokenPurpose.deliveryVehicle(vehicle)
            try await engine.send("POST", path: ["deliveryVehicles"], query: id, body: "{}", purpose: purpose)
        }
    }

    /// The recipient's page: follows the parcel until it is delivered.
    private func follow(_ id: String) async -> TaskOutcome {
        var last = TaskTrackingInfo(trackingID: id)
        for await event in engine.updates(ofShipment: id) {
            switch event {
            case .updated(let shipment):
                let stops = shipment.remainingStopCount.map { ", stops until it: \($0)" } ?? ""
                let distance = shipment.remainingDrivingDistance.map { ", \($0) m away" } ?? ""
                if shipment.state != last.state || shipment.remainingStopCount != last.remainingStopCount {
                    let outcome = shipment.outcome == .unknown ? "" : ", delivery \(shipment.outcome)"
                    console.print("recipient", "the parcel is \(shipment.state)\(outcome)\(stops)\(distance)")
                } else {
                    console.print("recipient", "sees the van\(distance)")
                }
                last = shipment
            case .failed(let error): console.print("recipient", "\(error)")
            case .state(let state):
                console.print("recipient", state == .active ? "follows parcel-1" : "stops following")
            case .recovered: break
            }
        }
        return last.outcome
    }
}
