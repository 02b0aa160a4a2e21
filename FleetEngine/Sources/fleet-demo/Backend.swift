import FleetEngineClient

/// The fleet's backend: creates vehicles and trips, and sets the trips' status, with the server's token.
struct Backend: Sendable {
    let server: EngineServer

    func createVehicle(_ id: String) async throws {
        try await send(
            "POST",
            ["vehicles"],
            query: [("vehicleId", id)],
            body: #"{"vehicleState":"OFFLINE","supportedTripTypes":["EXCLUSIVE"],"maximumCapacity":4,"#
                + #""vehicleType":{"category":"AUTO"}}"#
        )
    }

    func createTrip(_ id: String, _ city: City) async throws {
        try await send(
            "POST",
            ["trips"],
            query: [("tripId", id)],
            body: #"{"tripType":"EXCLUSIVE","numberOfPassengers":1,"pickupPoint":\#(json(city.pickup)),"#
                + #""dropoffPoint":\#(json(city.dropoff))}"#
        )
    }

    func assign(_ trip: String, to vehicle: String) async throws {
        try await update(
            trip,
            mask: "vehicleId,tripStatus",
            #"{"vehicleId":"\#(vehicle)","tripStatus":"ENROUTE_TO_PICKUP"}"#
        )
    }

    func setStatus(_ status: String, of trip: String) async throws {
        try await update(trip, mask: "tripStatus", #"{"tripStatus":"\#(status)"}"#)
    }

    /// Creates a delivery vehicle, and a parcel whose task and tracking ID are the same.
    func createDelivery(_ vehicle: String, _ parcel: String, to point: LatLng) async throws {
        try await send(
            "POST",
            ["deliveryVehicles"],
            query: [("deliveryVehicleId", vehicle)],
            body: "{}",
            scope: .deliveryServer
        )
        try await send(
            "POST",
            ["tasks"],
            query: [("taskId", parcel)],
            body: #"{"type":"DELIVERY","state":"OPEN","trackingId":"\#(parcel)","plannedLocation":\#(json(point)),"#
                + #""taskDuration":"60s"}"#,
            scope: .deliveryServer
        )
    }

    /// Sets the only stop of a delivery vehicle and its state; nil removes it, which closes the task.
    func setStop(_ state: String?, of vehicle: String, _ parcel: String, at point: LatLng) async throws {
        let stop =
            #"{"stop":{"plannedLocation":\#(json(point)),"state":"\#(state ?? "")","#
            + #""tasks":[{"taskId":"\#(parcel)","taskDuration":"60s"}]}}"#
        try await send(
            "PATCH",
            ["deliveryVehicles", vehicle],
            query: [("updateMask", "remainingVehicleJourneySegments")],
            body: #"{"remainingVehicleJourneySegments":[\#(state == nil ? "" : stop)]}"#,
            scope: .deliveryServer
        )
    }

    func setDelivered(_ parcel: String) async throws {
        try await send(
            "PATCH",
            ["tasks", parcel],
            query: [("updateMask", "taskOutcome")],
            body: #"{"taskOutcome":"SUCCEEDED"}"#,
            scope: .deliveryServer
        )
    }

    private func update(_ trip: String, mask: String, _ body: String) async throws {
        try await send("PUT", ["trips", trip], query: [("updateMask", mask)], body: body)
    }

    private func json(_ point: LatLng) -> String {
        #"{"point":{"latitude":\#(point.latitude),"longitude":\#(point.longitude)}}"#
    }

    /// Sends a request, and again after a server or network error: a backend has a queue for that.
    private func send(
        _ method: String,
        _ path: [String],
        query: [(name: String, value: String)],
        body: String,
        scope: DemoScope = .server
    ) async throws {
        let request = EngineRequest(method: method, path: path, query: query, body: body, scope: scope)
        for attempt in 1... {
            do {
                return try await server.send(request)
            } catch let refusal as Refusal {
                guard refusal.code != "ALREADY_EXISTS" else { return }
                guard Self.passes.contains(refusal.code), attempt < 60 else { throw refusal }
            } catch {
                guard attempt < 60 else { throw error }
            }
            try await Task.sleep(for: .milliseconds(200))
        }
    }

    /// What passes in this demo.
    private static let passes = [
        "UNAVAILABLE", "INTERNAL", "RESOURCE_EXHAUSTED", "UNAUTHENTICATED", "INVALID_ARGUMENT",
    ]
}
