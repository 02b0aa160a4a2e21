import FleetEngineClient

/// The fleet's backend: creates vehicles and trips, and sets the trips' status, with the server's token.
struct Backend: Sendable {
    let engine: FleetEngine

    func createVehicle(_ id: ResourceID) async throws {
        try await send(
            "POST",
            ["vehicles"],
            [("vehicleId", id.rawValue)],
            #"{"vehicleState":"OFFLINE","supportedTripTypes":["EXCLUSIVE"],"maximumCapacity":4,"#
                + #""vehicleType":{"category":"AUTO"}}"#
        )
    }

    func createTrip(_ id: ResourceID, _ city: City) async throws {
        try await send(
            "POST",
            ["trips"],
            [("tripId", id.rawValue)],
            #"{"tripType":"EXCLUSIVE","numberOfPassengers":1,"pickupPoint":\#(json(city.pickup)),"#
                + #""dropoffPoint":\#(json(city.dropoff))}"#
        )
    }

    func assign(_ trip: ResourceID, to vehicle: ResourceID) async throws {
        try await update(trip, "vehicleId,tripStatus", #"{"vehicleId":"\#(vehicle)","tripStatus":"ENROUTE_TO_PICKUP"}"#)
    }

    func setStatus(_ status: String, of trip: ResourceID) async throws {
        try await update(trip, "tripStatus", #"{"tripStatus":"\#(status)"}"#)
    }

    private func update(_ trip: ResourceID, _ mask: String, _ body: String) async throws {
        try await send("PUT", ["trips", trip.rawValue], [("updateMask", mask)], body)
    }

    private func json(_ point: LatLng) -> String {
        #"{"point":{"latitude":\#(point.latitude),"longitude":\#(point.longitude)}}"#
    }

    /// Sends a request, and again after a server or network error: a backend has a queue for that.
    private func send(
        _ method: String,
        _ path: [String],
        _ query: [(name: String, value: String)],
        _ body: String
    ) async throws {
        let request = EngineRequest(method: method, path: path, query: query, body: Array(body.utf8), scope: .server)
        for attempt in 1... {
            do {
                _ = try await engine.send(request)
                return
            } catch {
                guard error.code != .alreadyExists else { return }
                let mayPass = error.recovery == .automatic || Self.passes.contains(error.code)
                guard mayPass, attempt < 60 else { throw error }
                try await Task.sleep(for: .milliseconds(200))
            }
        }
    }

    /// What passes in this demo although it needs action elsewhere.
    private static let passes: [FleetEngineError.Code] = [.resourceExhausted, .unauthenticated, .invalidArgument]
}
