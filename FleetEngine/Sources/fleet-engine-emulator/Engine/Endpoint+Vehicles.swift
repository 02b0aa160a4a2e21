import SwiftProtobuf

extension Endpoints {
    static let createVehicle = Endpoint<ProtoCreateVehicleRequest, ProtoVehicle>(
        method: .createVehicle,
        name: \.parent,
        need: { request, _, _ in Need(.createVehicle, claims: [.id(.vehicle, request.vehicleID)]) },
        handle: { fleet, request, now throws(EngineError) in try fleet.createVehicle(request, at: now) }
    )

    static let getVehicle = Endpoint<ProtoGetVehicleRequest, ProtoVehicle>(
        method: .getVehicle,
        name: \.name,
        collection: .vehicles,
        need: { _, name, _ in Need(.getVehicle, claims: [.id(.vehicle, name.id)]) },
        handle: { fleet, request, now throws(EngineError) in try fleet.getVehicle(request, at: now) }
    )

    static let updateVehicle = Endpoint<ProtoUpdateVehicleRequest, ProtoVehicle>(
        method: .updateVehicle,
        name: \.name,
        collection: .vehicles,
        need: { request, name, _ in
            let isReport = UpdateMask(request.updateMask).fields.isSubset(of: Fleet.reported)
            return Need(isReport ? .updateVehicleLocation : .updateVehicle, claims: [.id(.vehicle, name.id)])
        },
        handle: { fleet, request, now throws(EngineError) in try fleet.updateVehicle(request, at: now) }
    )

    static let updateVehicleLocation = Endpoint<ProtoUpdateVehicleLocationRequest, ProtoVehicleLocation>(
        method: .updateVehicleLocation,
        name: \.name,
        collection: .vehicles,
        need: { _, name, _ in Need(.updateVehicleLocation, claims: [.id(.vehicle, name.id)]) },
        handle: { fleet, request, now throws(EngineError) in try fleet.updateVehicleLocation(request, at: now) }
    )

    static let updateVehicleAttributes = Endpoint<
        ProtoUpdateVehicleAttributesRequest, ProtoUpdateVehicleAttributesResponse
    >(
        method: .updateVehicleAttributes,
        name: \.name,
        collection: .vehicles,
        need: { _, name, _ in Need(.updateVehicle, claims: [.id(.vehicle, name.id)]) },
        handle: { fleet, request, _ throws(EngineError) in try fleet.updateVehicleAttributes(request) }
    )

    static let listVehicles = Endpoint<ProtoListVehiclesRequest, ProtoListVehiclesResponse>(
        method: .listVehicles,
        name: \.parent,
        need: { _, _, _ in Need(.listVehicles, claims: [.every(.vehicle)]) },
        handle: { fleet, request, now throws(EngineError) in try fleet.listVehicles(request, at: now) }
    )

    static let searchVehicles = search(.searchVehicles, .searchVehicles)

    static let searchFuzzedVehicles = search(.searchFuzzedVehicles, .searchFuzzedVehicles)

    private static func search(
        _ method: Method,
        _ permission: Permission
    ) -> Endpoint<ProtoSearchVehiclesRequest, ProtoSearchVehiclesResponse> {
        Endpoint(
            method: method,
            name: \.parent,
            need: { request, _, _ in
                let trip: Need.Claim = request.tripID.isEmpty ? .any(.trip) : .id(.trip, request.tripID)
                return Need(permission, claims: [trip, .every(.vehicle)])
            },
            handle: { fleet, request, now throws(EngineError) in try fleet.searchVehicles(request, at: now) }
        )
    }

    static let deleteVehicle = Endpoint<ProtoDeleteVehicleRequest, Google_Protobuf_Empty>(
        method: .deleteVehicle,
        name: \.name,
        collection: .vehicles,
        need: { _, name, _ in Need(.deleteVehicle, claims: [.id(.vehicle, name.id)]) },
        handle: { fleet, request, _ throws(EngineError) in try fleet.deleteVehicle(request) }
    )
}
