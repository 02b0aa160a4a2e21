import FleetEngineClient

/// The fleet's backend: creates vehicles and trips, and sets the trips' status, with the server's token.
struct Backend: Sendable {
    private typealias Query = KeyValuePairs<String, String>

    let engine: FleetEngine

    func createVehicle(_ id: String) async throws {
        let body =
            #"{"vehicleState":"OFFLINE","supportedTripTypes":["EXCLUSIVE"],"maximumCapacity":4,"#
            + #""vehicleType":{"category":"AUTO"}}"#
        try await create("vehicles", ["vehicleId": id], body: body)
    }

    func createTrip(_ id: String, _ city: City) async throws {
        let body =
            #"{"tripType":"EXCLUSIVE","numberOfPassengers":1,"pickupPoint":\#(json(city.pickup)),"#
            + #""dropoffPoint":\#(json(city.dropoff))}"#
        try await create("trips", ["tripId": id], body: body)
    }

    func assign(_ trip: String, to vehicle: String) async throws {
        let body = #"{"vehicleId":"\#(vehicle)","tripStatus":"ENROUTE_TO_PICKUP"}"#
        try await update("PUT", ["trips", trip], mask: "vehicleId,tripStatus", body: body)
    }

    func setStatus(_ status: String, of trip: String) async throws {
        try await update("PUT", ["trips", trip], mask: "tripStatus", body: #"{"tripStatus":"\#(status)"}"#)
    }

    /// Creates a delivery vehicle, and a parcel whose task and tracking ID are the same.
    func createDelivery(_ vehicle: String, _ parcel: String, to point: LatLng) async throws {
        try await create("deliveryVehicles", ["deliveryVehicleId": vehicle], body: "{}")
        let body =
            #"{"type":"DELIVERY","state":"OPEN","trackingId":"\#(parcel)","plannedLocation":\#(json(point)),"#
            + #""taskDuration":"60s"}"#
        try await create("tasks", ["taskId": parcel], body: body)
    }

    /// Sets the only stop of a delivery vehicle and its state; nil removes it, which closes the task.
    func setStop(_ state: String?, of vehicle: String, _ parcel: String, at point: LatLng) async throws {
        let stop =
            #"{"stop":{"plannedLocation":\#(json(point)),"state":"\#(state ?? "")","#
            + #""tasks":[{"taskId":"\#(parcel)","taskDuration":"60s"}]}}"#
        let body = #"{"remainingVehicleJourneySegments":[\#(state == nil ? "" : stop)]}"#
        try await update("PATCH", ["deliveryVehicles", vehicle], mask: "remainingVehicleJourneySegments", body: body)
    }

    func setDelivered(_ parcel: String) async throws {
        try await update("PATCH", ["tasks", parcel], mask: "taskOutcome", body: #"{"taskOutcome":"SUCCEEDED"}"#)
    }

    private func json(_ point: LatLng) -> String {
        #"{"point":{"latitude":\#(point.latitude),"longitude":\#(point.longitude)}}"#
    }

    private func create(_ collection: String, _ id: Query, body: String) async throws {
        try await send("POST", [collection], query: id, body: body)
    }

    private func update(_ method: String, _ path: [String], mask: String, body: String) async throws {
        try await send(method, path, query: ["updateMask": mask], body: body)
    }

    private func send(_ method: String, _ path: [String], query: Query, body: String) async throws {
        let isDelivery = ["deliveryVehicles", "tasks"].contains(path.first)
        let purpose: TokenPurpose = isDelivery ? .deliveryServer : .server
        do throws(FleetEngineError) {
            try await retrying { () throws(FleetEngineError) in
                try await engine.send(method, path: path, query: query, body: body, purpose: purpose)
            }
        } catch {
            // The response to an earlier attempt was lost.
            guard error.code == .alreadyExists else { throw error }
        }
    }

    /// Sends a request, and again after a server or network error or an exhausted quota: a backend has a queue for that.
    func retrying(_ request: () async throws(FleetEngineError) -> Void) async throws(FleetEngineError) {
        for _ in 1..<60 {
            do throws(FleetEngineError) {
                return try await request()
            } catch {
                guard !error.needsAction || error.code == .resourceExhausted else { throw error }
            }
            try? await Task.sleep(for: .milliseconds(200))
        }
        try await request()
    }
}
