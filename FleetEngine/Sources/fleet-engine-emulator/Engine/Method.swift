import HTTPTypes

/// A method of the API, by its name in the `.proto` files.
enum Method: String, CaseIterable, Sendable {
    case createTrip = "CreateTrip"
    case getTrip = "GetTrip"
    case updateTrip = "UpdateTrip"
    case deleteTrip = "DeleteTrip"
    case searchTrips = "SearchTrips"
    case createVehicle = "CreateVehicle"
    case getVehicle = "GetVehicle"
    case updateVehicle = "UpdateVehicle"
    case deleteVehicle = "DeleteVehicle"
    case listVehicles = "ListVehicles"
    case searchVehicles = "SearchVehicles"
    case createDeliveryVehicle = "CreateDeliveryVehicle"
    case getDeliveryVehicle = "GetDeliveryVehicle"
    case updateDeliveryVehicle = "UpdateDeliveryVehicle"
    case deleteDeliveryVehicle = "DeleteDeliveryVehicle"
    case listDeliveryVehicles = "ListDeliveryVehicles"
    case createTask = "CreateTask"
    case batchCreateTasks = "BatchCreateTasks"
    case getTask = "GetTask"
    case updateTask = "UpdateTask"
    case deleteTask = "DeleteTask"
    case listTasks = "ListTasks"
    case getTaskTrackingInfo = "GetTaskTrackingInfo"

    /// The method's place, and what a request may have.
    var route: Route {
        switch self {
        case .createTrip: .create(.trips, Tables.trip)
        case .getTrip: .one(.get, of: .trips, Tables.getTrip)
        case .updateTrip: .update(.put, of: .trips, Tables.trip)
        case .deleteTrip: .one(.delete, of: .trips)
        case .searchTrips: .action("search", on: .trips, Tables.searchTrips)
        case .createVehicle: .create(.vehicles, Tables.vehicle)
        case .getVehicle: .one(.get, of: .vehicles, Tables.getVehicle)
        case .updateVehicle: .update(.put, of: .vehicles, Tables.vehicle)
        case .deleteVehicle: .one(.delete, of: .vehicles)
        case .listVehicles: .list(.vehicles, Tables.listVehicles)
        case .searchVehicles: .action("search", on: .vehicles, Tables.searchVehicles)
        case .createDeliveryVehicle: .create(.deliveryVehicles, Tables.deliveryVehicle)
        case .getDeliveryVehicle: .one(.get, of: .deliveryVehicles)
        case .updateDeliveryVehicle: .update(.patch, of: .deliveryVehicles, Tables.deliveryVehicle)
        case .deleteDeliveryVehicle: .one(.delete, of: .deliveryVehicles)
        case .listDeliveryVehicles: .list(.deliveryVehicles, Tables.listDeliveryVehicles)
        case .createTask: .create(.tasks, Tables.task)
        case .batchCreateTasks: .action("batchCreate", on: .tasks, Tables.batchCreateTasks)
        case .getTask: .one(.get, of: .tasks)
        case .updateTask: .update(.patch, of: .tasks, Tables.task)
        case .deleteTask: .one(.delete, of: .tasks)
        case .listTasks: .list(.tasks, Tables.listTasks)
        case .getTaskTrackingInfo: .one(.get, of: .taskTrackingInfo)
        }
    }

    /// Performs a request, after the token was checked.
    func respond(to request: EngineRequest, from fleet: inout Fleet) throws(EngineError) -> Message {
        switch self {
        case .createTrip: try fleet.createTrip(request)
        case .getTrip: try fleet.getTrip(request)
        case .updateTrip: try fleet.updateTrip(request)
        case .deleteTrip: try fleet.deleteTrip(request)
        case .searchTrips: try fleet.searchTrips(request)
        case .createVehicle: try fleet.createVehicle(request)
        case .getVehicle: try fleet.getVehicle(request)
        case .updateVehicle: try fleet.updateVehicle(request)
        case .deleteVehicle: try fleet.deleteVehicle(request)
        case .listVehicles: try fleet.listVehicles(request)
        case .searchVehicles: try fleet.searchVehicles(request)
        case .createDeliveryVehicle: try fleet.createDeliveryVehicle(request)
        case .getDeliveryVehicle: try fleet.getDeliveryVehicle(request)
        case .updateDeliveryVehicle: try fleet.updateDeliveryVehicle(request)
        case .deleteDeliveryVehicle: try fleet.deleteDeliveryVehicle(request)
        case .listDeliveryVehicles: try fleet.listDeliveryVehicles(request)
        case .createTask: try fleet.createTask(request.body, id: request.newID, of: request.provider)
        case .batchCreateTasks: try fleet.batchCreateTasks(request)
        case .getTask: try fleet.getTask(request)
        case .updateTask: try fleet.updateTask(request)
        case .deleteTask: try fleet.deleteTask(request)
        case .listTasks: try fleet.listTasks(request)
        case .getTaskTrackingInfo: try fleet.getTaskTrackingInfo(request)
        }
    }
}
