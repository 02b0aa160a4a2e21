import HTTPTypes

extension Method {
    static let deliveryVehicles = [
        Method(
            name: "CreateDeliveryVehicle",
            verb: .post,
            collection: .deliveryVehicles,
            parameters: Tables.creation("deliveryVehicleId"),
            body: .resource(Tables.deliveryVehicle),
            need: { request, _ in
                let id = request.parameters.text("deliveryVehicleId")
                return Need(.createDeliveryVehicle, claims: [.id(.deliveryVehicle, id)])
            },
            handle: { fleet, request throws(EngineError) in try fleet.createDeliveryVehicle(request) }
        ),
        Method(
            name: "GetDeliveryVehicle",
            verb: .get,
            collection: .deliveryVehicles,
            isOfOne: true,
            need: { request, _ in Need(.getDeliveryVehicle, claims: [.id(.deliveryVehicle, request.name.id)]) },
            handle: { fleet, request throws(EngineError) in try fleet.getDeliveryVehicle(request) }
        ),
        Method(
            name: "UpdateDeliveryVehicle",
            verb: .patch,
            collection: .deliveryVehicles,
            isOfOne: true,
            parameters: Tables.update,
            body: .resource(Tables.deliveryVehicle),
            need: { request, fleet in
                var need = Need(claims: [.id(.deliveryVehicle, request.name.id)])
                need.permissions = fleet.permissions(for: request)
                return need
            },
            handle: { fleet, request throws(EngineError) in try fleet.updateDeliveryVehicle(request) }
        ),
        Method(
            name: "DeleteDeliveryVehicle",
            verb: .delete,
            collection: .deliveryVehicles,
            isOfOne: true,
            need: { request, _ in Need(.deleteDeliveryVehicle, claims: [.id(.deliveryVehicle, request.name.id)]) },
            handle: { fleet, request throws(EngineError) in try fleet.deleteDeliveryVehicle(request) }
        ),
        Method(
            name: "ListDeliveryVehicles",
            verb: .get,
            collection: .deliveryVehicles,
            parameters: Tables.listDeliveryVehicles,
            need: { _, _ in Need(.listDeliveryVehicles, claims: [.every(.deliveryVehicle)]) },
            handle: { fleet, request throws(EngineError) in try fleet.listDeliveryVehicles(request) }
        ),
    ]
}
