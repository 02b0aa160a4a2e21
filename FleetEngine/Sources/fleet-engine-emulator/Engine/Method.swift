import HTTPTypes

/// A method of the API: where it is, what it requires of a token, and what it does.
struct Method: Sendable {
    // Closures infer no thrown type: all of them throw EngineError.
    private typealias Perform = @Sendable (inout Fleet, MethodRequest) throws -> Message

    /// The name in the `.proto` files.
    let name: String
    let route: Route
    /// Returns what a request requires of a token.
    let requirement: @Sendable (MethodRequest, Fleet) -> Requirement
    private let perform: Perform

    /// Creates a method that requires a permission, and a claim that follows from the route.
    private init(_ name: String, _ route: Route, requires permission: Permission, perform: @escaping Perform) {
        self.init(
            name,
            route,
            requires: { request, _ in Requirement(permissions: [permission], claims: [route.claim(for: request)]) },
            perform: perform
        )
    }

    /// Creates a method whose requests require different things.
    private init(
        _ name: String,
        _ route: Route,
        requires requirement: @escaping @Sendable (MethodRequest, Fleet) -> Requirement,
        perform: @escaping Perform
    ) {
        self.name = name
        self.route = route
        self.requirement = requirement
        self.perform = perform
    }

    /// Performs a request that is permitted.
    func respond(_ fleet: inout Fleet, _ request: MethodRequest) throws(EngineError) -> Message {
        do {
            return try perform(&fleet, request)
        } catch {
            throw error as? EngineError ?? EngineError(.fault, code: .internal, "\(error)")
        }
    }

    static let all = onDemand + deliveries

    private static let onDemand: [Method] = [
        Method("CreateTrip", .create(.trips, Tables.trip), requires: .createTrip) { try $0.createTrip($1) },
        Method("GetTrip", .one(.get, of: .trips, Tables.getTrip), requires: .getTrip) { try $0.getTrip($1) },
        Method("UpdateTrip", .update(.put, of: .trips, Tables.trip), requires: Requirement.updateTrip) {
            try $0.updateTrip($1)
        },
        Method("DeleteTrip", .one(.delete, of: .trips), requires: .deleteTrip) { try $0.deleteTrip($1) },
        Method("SearchTrips", .action("search", on: .trips, Tables.searchTrips), requires: Requirement.searchTrips) {
            try $0.searchTrips($1)
        },
        Method("CreateVehicle", .create(.vehicles, Tables.vehicle), requires: .createVehicle) {
            try $0.createVehicle($1)
        },
        Method("GetVehicle", .one(.get, of: .vehicles, Tables.getVehicle), requires: .getVehicle) {
            try $0.getVehicle($1)
        },
        Method("UpdateVehicle", .update(.put, of: .vehicles, Tables.vehicle), requires: Requirement.updateVehicle) {
            try $0.updateVehicle($1)
        },
        Method("DeleteVehicle", .one(.delete, of: .vehicles), requires: .deleteVehicle) { try $0.deleteVehicle($1) },
        Method("ListVehicles", .list(.vehicles, Tables.listVehicles), requires: .listVehicles) {
            try $0.listVehicles($1)
        },
        Method(
            "SearchVehicles",
            .action("search", on: .vehicles, Tables.searchVehicles),
            requires: Requirement.searchVehicles
        ) { try $0.searchVehicles($1) },
    ]

    private static let deliveries: [Method] = [
        Method(
            "CreateDeliveryVehicle",
            .create(.deliveryVehicles, Tables.deliveryVehicle),
            requires: .createDeliveryVehicle
        ) { try $0.createDeliveryVehicle($1) },
        Method("GetDeliveryVehicle", .one(.get, of: .deliveryVehicles), requires: .getDeliveryVehicle) {
            try $0.getDeliveryVehicle($1)
        },
        Method(
            "UpdateDeliveryVehicle",
            .update(.patch, of: .deliveryVehicles, Tables.deliveryVehicle),
            requires: Requirement.updateDeliveryVehicle
        ) { try $0.updateDeliveryVehicle($1) },
        Method("DeleteDeliveryVehicle", .one(.delete, of: .deliveryVehicles), requires: .deleteDeliveryVehicle) {
            try $0.deleteDeliveryVehicle($1)
        },
        Method(
            "ListDeliveryVehicles",
            .list(.deliveryVehicles, Tables.listDeliveryVehicles),
            requires: .listDeliveryVehicles
        ) { try $0.listDeliveryVehicles($1) },
        Method("CreateTask", .create(.tasks, Tables.task), requires: Requirement.createTask) {
            try $0.createTask($1)
        },
        Method(
            "BatchCreateTasks",
            .action("batchCreate", on: .tasks, Tables.batchCreateTasks),
            requires: Requirement.batchCreateTasks
        ) { try $0.batchCreateTasks($1) },
        Method("GetTask", .one(.get, of: .tasks), requires: Requirement.getTask) { try $0.getTask($1) },
        Method("UpdateTask", .update(.patch, of: .tasks, Tables.task), requires: Requirement.updateTask) {
            try $0.updateTask($1)
        },
        Method("DeleteTask", .one(.delete, of: .tasks), requires: .deleteTask) { try $0.deleteTask($1) },
        Method("ListTasks", .list(.tasks, Tables.listTasks), requires: .listTasks) { try $0.listTasks($1) },
        Method(
            "GetTaskTrackingInfo",
            .one(.get, of: .taskTrackingInfo),
            requires: Requirement.getTaskTrackingInfo
        ) { try $0.getTaskTrackingInfo($1) },
    ]
}

extension Method {
    /// The methods of Fleet Engine that the emulator does not have, by verb and path.
    private static let unimplemented = [
        "POST billableTrips/*:report", "POST vehicles:searchFuzzed", "POST vehicles/*:updateAttributes",
        "PUT vehicles/*:updateLocation",
    ]

    /// Returns the method for a verb and a target below `/v1/`.
    ///
    /// - Throws: ``EngineError`` if there is none.
    static func find(_ verb: HTTPRequest.Method, _ target: RequestTarget) throws(EngineError) -> Method {
        if let method = all.first(where: { $0.route.matches(verb, target) }) { return method }
        guard Route.isOfProvider(target) else {
            throw EngineError(.methodUnknown, "The API has no method with this path.")
        }
        let id = target.segments.count == 5 ? "/*" : ""
        let place = "\(target.segments[3])\(id)\(target.action.isEmpty ? "" : ":\(target.action)")"
        let isKnown = unimplemented.contains("\(verb) \(place)")
        throw EngineError(
            isKnown ? .methodUnimplemented : .methodUnknown,
            isKnown ? "The emulator does not have this method." : "The API has no method \(verb) \(place)."
        )
    }
}
