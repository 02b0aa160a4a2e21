import HTTPTypes

extension Method {
    static let vehicles = [
        Method(
            name: "CreateVehicle",
            verb: .post,
            collection: .vehicles,
            parameters: Tables.creation("vehicleId"),
            body: .resource(Tables.vehicle),
            need: { request, _ in
                Need(.createVehicle, claims: [.id(.vehicle, request.parameters.text("vehicleId"))])
            },
            handle: { fleet, request throws(EngineError) in try fleet.createVehicle(request) }
        ),
        Method(
            name: "GetVehicle",
            verb: .get,
            collection: .vehicles,
            isOfOne: true,
            parameters: Tables.getVehicle,
            need: { request, _ in Need(.getVehicle, claims: [.id(.vehicle, request.name.id)]) },
            handle: { fleet, request throws(EngineError) in try fleet.getVehicle(request) }
        ),
        Method(
            name: "UpdateVehicle",
            verb: .put,
            collection: .vehicles,
            isOfOne: true,
            parameters: Tables.update,
            body: .resource(Tables.vehicle),
            need: { request, _ in
                let isReport = request.mask.fields.isSubset(of: Tables.vehicle.names(.report))
                return Need(
                    isReport ? .updateVehicleLocation : .updateVehicle,
                    claims: [.id(.vehicle, request.name.id)]
                )
            },
            handle: { fleet, request throws(EngineError) in try fleet.updateVehicle(request) }
        ),
        Method(
            name: "DeleteVehicle",
            verb: .delete,
            collection: .vehicles,
            isOfOne: true,
            need: { request, _ in Need(.deleteVehicle, claims: [.id(.vehicle, request.name.id)]) },
            handle: { fleet, request throws(EngineError) in try fleet.deleteVehicle(request) }
        ),
        Method(
            name: "ListVehicles",
            verb: .get,
            collection: .vehicles,
            parameters: Tables.listVehicles,
            need: { _, _ in Need(.listVehicles, claims: [.every(.vehicle)]) },
            handle: { fleet, request throws(EngineError) in try fleet.listVehicles(request) }
        ),
        Method(
            name: "SearchVehicles",
            verb: .post,
            collection: .vehicles,
            action: "search",
            body: .request(Tables.searchVehicles),
            need: { request, _ in
                let trip = request.body.text("tripId")
                return Need(.searchVehicles, claims: [trip.isEmpty ? .any(.trip) : .id(.trip, trip), .every(.vehicle)])
            },
            handle: { fleet, request throws(EngineError) in try fleet.searchVehicles(request) }
        ),
    ]
}
