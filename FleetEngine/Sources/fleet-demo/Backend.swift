import FleetEngineClient

/// The fleet's backend: creates vehicles and trips, and sets the trips' status, with the server's token.
struct Backend: Sendable {
    /// The codes of errors that pass in this demo.
    private static let passes = [
        "UNAVAILABLE", "INTERNAL", "RESOURCE_EXHAUSTED", "UNAUTHENTICATED", "INVALID_ARGUMENT",
    ]

    let server: EngineServer

    func createVehicle(_ id: String) async throws {
        let body =
            #"{"vehicleState":"OFFLINE","supportedTripTypes":["EXCLUSIVE"],"maximumCapacity":4,"#
            + #""vehicleType":{"category":"AUTO"}}"#
        try await create("vehicles", ["vehicleId": id], body)
    }

    func createTrip(_ id: String, _ city: City) async throws {
        let body =
            #"{"tripType":"EXCLUSIVE","numberOfPassengers":1,"pickupPoint":\#(json(city.pickup)),"#
            + #""dropoffPoint":\#(json(city.dropoff))}"#
        try await create("trips", ["tripId": id], body)
    }

    func assign(_ trip: String, to vehicle: String) async throws {
        let body = #"{"vehicleId":"\#(vehicle)","tripStatus":"ENROUTE_TO_PICKUP"}"#
        try await update("PUT", "trips/\(trip)", mask: "vehicleId,tripStatus", body)
    }

    func setStatus(_ status: String, of trip: String) async throws {
        try await update("PUT", "trips/\(trip)", mask: "tripStatus", #"{"tripStatus":"\#(status)"}"#)
    }

    /// Creates a delivery vehicle, and a parcel whose task and tracking ID are the same.
    func createDelivery(_ vehicle: String, _ parcel: String, to point: LatLng) async throws {
        try await create("deliveryVehicles", ["deliveryVehicleId": vehicle], "{}")
        let body =
            #"{"type":"DELIVERY","state":"OPEN","trackingId":"\#(parcel)","plannedLocation":\#(json(point)),"#
            + #""taskDuration":"60s"}"#
        try await create("tasks", ["taskId": parcel], body)
    }

    /// Sets the only stop of a delivery vehicle and its state; nil removes it, which closes the task.
    func setStop(_ state: String?, of vehicle: String, _ parcel: String, at point: LatLng) async throws {
        let stop =
            #"{"stop":{"plannedLocation":\#(json(point)),"state":"\#(state ?? "")","#
            + #""tasks":[{"taskId":"\#(parcel)","taskDuration":"60s"}]}}"#
        let body = #"{"remainingVehicleJourneySegments":[\#(state == nil ? "" : stop)]}"#
        try await update("PATCH", "deliveryVehicles/\(vehicle)", mask: "remainingVehicleJourneySegments", body)
    }

    func setDelivered(_ parcel: String) async throws {
        try await update("PATCH", "tasks/\(parcel)", mask: "taskOutcome", #"{"taskOutcome":"SUCCEEDED"}"#)
    }

    private func json(_ point: LatLng) -> String {
        #"{"point":{"latitude":\#(point.latitude),"longitude":\#(point.longitude)}}"#
    }

    private func create(_ collection: String, _ id: [String: String], _ body: String) async throws {
        try await send(.init(method: "POST", path: collection, query: id, body: body, scope: scope(of: collection)))
    }

    private func update(_ method: String, _ path: String, mask: String, _ body: String) async throws {
        let query = ["updateMask": mask]
        try await send(.init(method: method, path: path, query: query, body: body, scope: scope(of: path)))
    }

    private func scope(of path: String) -> DemoScope {
        path.hasPrefix("trips") || path.hasPrefix("vehicles") ? .server : .deliveryServer
    }

    /// Sends a request, and again after a server or network error: a backend has a queue for that.
    private func send(_ request: EngineServer.Request) async throws {
        for attempt in 1... {
            do {
                return try await server.send(request)
            } catch let refusal as EngineServer.Refusal {
                guard refusal.code != "ALREADY_EXISTS" else { return }
                guard Self.passes.contains(refusal.code), attempt < 60 else { throw refusal }
            } catch {
                guard attempt < 60 else { throw error }
            }
            try await Task.sleep(for: .milliseconds(200))
        }
    }
}
