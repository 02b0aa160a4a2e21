import HTTPTypes

/// A method of the API, by its name in the `.proto` files.
enum Method: String, CaseIterable, Sendable {
    case createTrip = "CreateTrip"
    case getTrip = "GetTrip"
    case updateTrip = "UpdateTrip"
    case deleteTrip = "DeleteTrip"
    case searchTrips = "SearchTrips"
    case reportBillableTrip = "ReportBillableTrip"
    case createVehicle = "CreateVehicle"
    case getVehicle = "GetVehicle"
    case updateVehicle = "UpdateVehicle"
    case updateVehicleLocation = "UpdateVehicleLocation"
    case updateVehicleAttributes = "UpdateVehicleAttributes"
    case listVehicles = "ListVehicles"
    case searchVehicles = "SearchVehicles"
    case searchFuzzedVehicles = "SearchFuzzedVehicles"
    case deleteVehicle = "DeleteVehicle"
    case createDeliveryVehicle = "CreateDeliveryVehicle"
    case getDeliveryVehicle = "GetDeliveryVehicle"
    case updateDeliveryVehicle = "UpdateDeliveryVehicle"
    case listDeliveryVehicles = "ListDeliveryVehicles"
    case deleteDeliveryVehicle = "DeleteDeliveryVehicle"
    case createTask = "CreateTask"
    case batchCreateTasks = "BatchCreateTasks"
    case getTask = "GetTask"
    case updateTask = "UpdateTask"
    case listTasks = "ListTasks"
    case deleteTask = "DeleteTask"
    case getTaskTrackingInfo = "GetTaskTrackingInfo"
}

extension Method {
    /// The verb and path of the method's HTTP annotation.
    var http: (verb: HTTPRequest.Method, template: PathTemplate) {
        let (verb, template): (HTTPRequest.Method, String) =
            switch self {
            case .createTrip: (.post, "/v1/{parent=providers/*}/trips")
            case .getTrip: (.get, "/v1/{name=providers/*/trips/*}")
            case .updateTrip: (.put, "/v1/{name=providers/*/trips/*}")
            case .deleteTrip: (.delete, "/v1/{name=providers/*/trips/*}")
            case .searchTrips: (.post, "/v1/{parent=providers/*}/trips:search")
            case .reportBillableTrip: (.post, "/v1/{name=providers/*/billableTrips/*}:report")
            case .createVehicle: (.post, "/v1/{parent=providers/*}/vehicles")
            case .getVehicle: (.get, "/v1/{name=providers/*/vehicles/*}")
            case .updateVehicle: (.put, "/v1/{name=providers/*/vehicles/*}")
            case .updateVehicleLocation: (.put, "/v1/{name=providers/*/vehicles/*}:updateLocation")
            case .updateVehicleAttributes: (.post, "/v1/{name=providers/*/vehicles/*}:updateAttributes")
            case .listVehicles: (.get, "/v1/{parent=providers/*}/vehicles")
            case .searchVehicles: (.post, "/v1/{parent=providers/*}/vehicles:search")
            case .searchFuzzedVehicles: (.post, "/v1/{parent=providers/*}/vehicles:searchFuzzed")
            case .deleteVehicle: (.delete, "/v1/{name=providers/*/vehicles/*}")
            case .createDeliveryVehicle: (.post, "/v1/{parent=providers/*}/deliveryVehicles")
            case .getDeliveryVehicle: (.get, "/v1/{name=providers/*/deliveryVehicles/*}")
            case .updateDeliveryVehicle: (.patch, "/v1/{delivery_vehicle.name=providers/*/deliveryVehicles/*}")
            case .listDeliveryVehicles: (.get, "/v1/{parent=providers/*}/deliveryVehicles")
            case .deleteDeliveryVehicle: (.delete, "/v1/{name=providers/*/deliveryVehicles/*}")
            case .createTask: (.post, "/v1/{parent=providers/*}/tasks")
            case .batchCreateTasks: (.post, "/v1/{parent=providers/*}/tasks:batchCreate")
            case .getTask: (.get, "/v1/{name=providers/*/tasks/*}")
            case .updateTask: (.patch, "/v1/{task.name=providers/*/tasks/*}")
            case .listTasks: (.get, "/v1/{parent=providers/*}/tasks")
            case .deleteTask: (.delete, "/v1/{name=providers/*/tasks/*}")
            case .getTaskTrackingInfo: (.get, "/v1/{name=providers/*/taskTrackingInfo/*}")
            }
        return (verb, PathTemplate(template))
    }

    /// The service, by its full name.
    var service: String {
        switch self {
        case .createTrip, .getTrip, .updateTrip, .deleteTrip, .searchTrips, .reportBillableTrip:
            "maps.fleetengine.v1.TripService"
        case .createVehicle, .getVehicle, .updateVehicle, .updateVehicleLocation, .updateVehicleAttributes,
            .listVehicles, .searchVehicles, .searchFuzzedVehicles, .deleteVehicle:
            "maps.fleetengine.v1.VehicleService"
        default: "maps.fleetengine.delivery.v1.DeliveryService"
        }
    }
}
