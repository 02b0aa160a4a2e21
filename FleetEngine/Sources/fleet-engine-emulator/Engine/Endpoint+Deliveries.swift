import SwiftProtobuf

extension Endpoints {
    static let createDeliveryVehicle = Endpoint<ProtoCreateDeliveryVehicleRequest, ProtoDeliveryVehicle>(
        method: .createDeliveryVehicle,
        name: \.parent,
        need: { request, _, _ in
            Need(.createDeliveryVehicle, claims: [.id(.deliveryVehicle, request.deliveryVehicleID)])
        },
        handle: { fleet, request, now throws(EngineError) in try fleet.createDeliveryVehicle(request, at: now) }
    )

    static let getDeliveryVehicle = Endpoint<ProtoGetDeliveryVehicleRequest, ProtoDeliveryVehicle>(
        method: .getDeliveryVehicle,
        name: \.name,
        collection: .deliveryVehicles,
        need: { _, name, _ in Need(.getDeliveryVehicle, claims: [.id(.deliveryVehicle, name.id)]) },
        handle: { fleet, request, _ throws(EngineError) in try fleet.getDeliveryVehicle(request.name) }
    )

    static let updateDeliveryVehicle = Endpoint<ProtoUpdateDeliveryVehicleRequest, ProtoDeliveryVehicle>(
        method: .updateDeliveryVehicle,
        name: \.deliveryVehicle.name,
        collection: .deliveryVehicles,
        need: { request, name, fleet in
            var need = Need(claims: [.id(.deliveryVehicle, name.id)])
            need.permissions = fleet.permissions(for: request)
            return need
        },
        handle: { fleet, request, now throws(EngineError) in try fleet.updateDeliveryVehicle(request, at: now) }
    )

    static let listDeliveryVehicles = Endpoint<ProtoListDeliveryVehiclesRequest, ProtoListDeliveryVehiclesResponse>(
        method: .listDeliveryVehicles,
        name: \.parent,
        need: { _, _, _ in Need(.listDeliveryVehicles, claims: [.every(.deliveryVehicle)]) },
        handle: { fleet, request, _ throws(EngineError) in try fleet.listDeliveryVehicles(request) }
    )

    static let deleteDeliveryVehicle = Endpoint<ProtoDeleteDeliveryVehicleRequest, Google_Protobuf_Empty>(
        method: .deleteDeliveryVehicle,
        name: \.name,
        collection: .deliveryVehicles,
        need: { _, name, _ in Need(.deleteDeliveryVehicle, claims: [.id(.deliveryVehicle, name.id)]) },
        handle: { fleet, request, _ throws(EngineError) in try fleet.deleteDeliveryVehicle(request.name) }
    )
}
