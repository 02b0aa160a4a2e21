import FleetToken
import SwiftProtobuf

extension Endpoint where Request == ProtoCreateDeliveryVehicleRequest, Response == ProtoDeliveryVehicle {
    static var createDeliveryVehicle: Self {
        Self(
            method: .createDeliveryVehicle,
            name: \.parent,
            collection: nil,
            need: { request, _, _ in
                Need(.createDeliveryVehicle, claims: [.id(.deliveryVehicle, request.deliveryVehicleID)])
            },
            handle: { fleet, request, _, now throws(EngineError) in try fleet.createDeliveryVehicle(request, at: now) }
        )
    }
}

extension Endpoint where Request == ProtoGetDeliveryVehicleRequest, Response == ProtoDeliveryVehicle {
    static var getDeliveryVehicle: Self {
        Self(
            method: .getDeliveryVehicle,
            name: \.name,
            collection: .deliveryVehicles,
            need: { _, name, _ in Need(.getDeliveryVehicle, claims: [.id(.deliveryVehicle, name.id)]) },
            handle: { fleet, request, _, _ throws(EngineError) in try fleet.getDeliveryVehicle(request.name) }
        )
    }
}

extension Endpoint where Request == ProtoUpdateDeliveryVehicleRequest, Response == ProtoDeliveryVehicle {
    static var updateDeliveryVehicle: Self {
        Self(
            method: .updateDeliveryVehicle,
            name: \.deliveryVehicle.name,
            collection: .deliveryVehicles,
            need: { request, name, fleet in
                var need = Need(claims: [.id(.deliveryVehicle, name.id)])
                need.permissions = fleet.permissions(for: request)
                return need
            },
            handle: { fleet, request, _, now throws(EngineError) in try fleet.updateDeliveryVehicle(request, at: now) }
        )
    }
}

extension Endpoint where Request == ProtoListDeliveryVehiclesRequest, Response == ProtoListDeliveryVehiclesResponse {
    static var listDeliveryVehicles: Self {
        Self(
            method: .listDeliveryVehicles,
            name: \.parent,
            collection: nil,
            need: { _, _, _ in Need(.listDeliveryVehicles, claims: [.every(.deliveryVehicle)]) },
            handle: { fleet, request, _, _ throws(EngineError) in try fleet.listDeliveryVehicles(request) }
        )
    }
}

extension Endpoint where Request == ProtoDeleteDeliveryVehicleRequest, Response == Google_Protobuf_Empty {
    static var deleteDeliveryVehicle: Self {
        Self(
            method: .deleteDeliveryVehicle,
            name: \.name,
            collection: .deliveryVehicles,
            need: { _, name, _ in Need(.deleteDeliveryVehicle, claims: [.id(.deliveryVehicle, name.id)]) },
            handle: { fleet, request, _, _ throws(EngineError) in try fleet.deleteDeliveryVehicle(request.name) }
        )
    }
}
