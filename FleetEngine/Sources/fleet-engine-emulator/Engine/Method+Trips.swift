import HTTPTypes

extension Method {
    static let trips = [
        Method(
            name: "CreateTrip",
            verb: .post,
            collection: .trips,
            parameters: Tables.creation("tripId"),
            body: .resource(Tables.trip),
            need: { request, _ in Need(.createTrip, claims: [.id(.trip, request.parameters.text("tripId"))]) },
            handle: { fleet, request throws(EngineError) in try fleet.createTrip(request) }
        ),
        Method(
            name: "GetTrip",
            verb: .get,
            collection: .trips,
            isOfOne: true,
            parameters: Tables.getTrip,
            need: { request, _ in Need(.getTrip, claims: [.id(.trip, request.name.id)]) },
            handle: { fleet, request throws(EngineError) in try fleet.getTrip(request) }
        ),
        Method(
            name: "UpdateTrip",
            verb: .put,
            collection: .trips,
            isOfOne: true,
            parameters: Tables.update,
            body: .resource(Tables.trip),
            need: { request, _ in
                var need = Need(.updateTrip, claims: [.id(.trip, request.name.id)])
                if !request.mask.fields.isDisjoint(with: ["tripStatus", "intermediateDestinationIndex"]) {
                    need.permissions.insert(.updateTripState)
                }
                return need
            },
            handle: { fleet, request throws(EngineError) in try fleet.updateTrip(request) }
        ),
        Method(
            name: "DeleteTrip",
            verb: .delete,
            collection: .trips,
            isOfOne: true,
            need: { request, _ in Need(.deleteTrip, claims: [.id(.trip, request.name.id)]) },
            handle: { fleet, request throws(EngineError) in try fleet.deleteTrip(request) }
        ),
        Method(
            name: "SearchTrips",
            verb: .post,
            collection: .trips,
            action: "search",
            body: .request(Tables.searchTrips),
            need: { request, _ in
                // A driver finds the trips of the driver's vehicle.
                let vehicle = request.body.text("vehicleId")
                return Need(.searchTrips, claims: [.every(.trip)] + (vehicle.isEmpty ? [] : [.id(.vehicle, vehicle)]))
            },
            handle: { fleet, request throws(EngineError) in try fleet.searchTrips(request) }
        ),
    ]
}
