import FleetToken
import SwiftProtobuf

extension Endpoint where Request == ProtoCreateVehicleRequest, Response == ProtoVehicle {
    static var createVehicle: Self {
        Self(
            method: .createVehicle,
            name: \.parent,
            collection: nil,
            need: { request, _, _ in Need(.createVehicle, claims: [.id(.vehicle, request.vehicleID)]) },
            handle: { fleet, request, _, now throws(EngineError) in try fleet.createVehicle(request, at: now) }
        )
    }
}

extension Endpoint where Request == ProtoGetVehicleRequest, Response == ProtoVehicle {
    static var getVehicle: Self {
        Self(
            method: .getVehicle,
            name: \.name,
            collection: .vehicles,
            need: { _, name, _ in Need(.getVehicle, claims: [.id(.vehicle, name.id)]) },
            handle: { fleet, request, _, now throws(EngineError) in try fleet.getVehicle(request, at: now) }
        )
    }
}

extension Endpoint where Request == ProtoUpdateVehicleRequest, Response == ProtoVehicle {
    static var updateVehicle: Self {
        Self(
            method: .updateVehicle,
            name: \.name,
            collection: .vehicles,
            need: { request, name, _ in
                let isReport = UpdateMask(request.updateMask).fields.isSubset(of: Fleet.reported)
                return Need(isReport ? .updateVehicleLocation : .updateVehicle, claims: [.id(.vehicle, name.id)])
            },
            handle: { fleet, request, _, now throws(EngineError) in try fleet.updateVehicle(request, at: now) }
        )
    }
}

extension Endpoint where Request == ProtoUpdateVehicleLocationRequest, Response == ProtoVehicleLocation {
    static var updateVehicleLocation: Self {
        Self(
            method: .updateVehicleLocation,
            name: \.name,
            collection: .vehicles,
            need: { _, name, _ in Need(.updateVehicleLocation, claims: [.id(.vehicle, name.id)]) },
            handle: { fleet, request, _, now throws(EngineError) in try fleet.updateVehicleLocation(request, at: now) }
        )
    }
}

extension Endpoint
where Request == ProtoUpdateVehicleAttributesRequest, Response == ProtoUpdateVehicleAttributesResponse {
    static var updateVehicleAttributes: Self {
        Self(
            method: .updateVehicleAttributes,
            name: \.name,
            collection: .vehicles,
            need: { _, name, _ in Need(.updateVehicle, claims: [.id(.vehicle, name.id)]) },
            handle: { fleet, request, _, _ throws(EngineError) in try fleet.updateVehicleAttributes(request) }
        )
    }
}

extension Endpoint where Request == ProtoListVehiclesRequest, Response == ProtoListVehiclesResponse {
    static var listVehicles: Self {
        Self(
            method: .listVehicles,
            name: \.parent,
            collection: nil,
            need: { _, _, _ in Need(.listVehicles, claims: [.every(.vehicle)]) },
            handle: { fleet, request, _, now throws(EngineError) in try fleet.listVehicles(request, at: now) }
        )
    }
}

extension Endpoint where Request == ProtoSearchVehiclesRequest, Response == ProtoSearchVehiclesResponse {
    static var searchVehicles: Self { search(.searchVehicles, .searchVehicles) }

    static var searchFuzzedVehicles: Self { search(.searchFuzzedVehicles, .searchFuzzedVehicles) }

    private static func search(_ method: Method, _ permission: Permission) -> Self {
        Self(
            method: method,
            name: \.parent,
            collection: nil,
            need: { request, _, _ in
                let trip: Need.Claim = request.tripID.isEmpty ? .any(.trip) : .id(.trip, request.tripID)
                return Need(permission, claims: [trip, .every(.vehicle)])
            },
            handle: { fleet, request, _, now throws(EngineError) in try fleet.searchVehicles(request, at: now) }
        )
    }
}

extension Endpoint where Request == ProtoDeleteVehicleRequest, Response == Google_Protobuf_Empty {
    static var deleteVehicle: Self {
        Self(
            method: .deleteVehicle,
            name: \.name,
            collection: .vehicles,
            need: { _, name, _ in Need(.deleteVehicle, claims: [.id(.vehicle, name.id)]) },
            handle: { fleet, request, _, _ throws(EngineError) in try fleet.deleteVehicle(request) }
        )
    }
}
