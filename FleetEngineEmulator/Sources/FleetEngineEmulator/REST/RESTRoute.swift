import HTTPTypes
import SwiftProtobuf

/// A method of the API as a verb and a path.
struct RESTRoute: Sendable {
    let method: Method
    let verb: HTTPRequest.Method
    let template: PathTemplate
    /// Answers a request: JSON, and what is to be done to it.
    let answer: @Sendable (Engine, RESTRequest) async throws(EngineError) -> (json: [UInt8], Disturbance?)

    private init<Request: Message, Response: Message>(
        _ endpoint: Endpoint<Request, Response>,
        _ decode: @escaping @Sendable (RESTRequest) throws(EngineError) -> Request
    ) {
        method = endpoint.method
        (verb, template) = endpoint.method.http
        answer = { engine, rest throws(EngineError) in
            let request: Request
            do throws(EngineError) {
                request = try decode(rest)
            } catch {
                engine.refuse(endpoint.method.rawValue, rest.call, error)
                throw error
            }
            let (response, disturbance) = try await engine.perform(endpoint, request, rest.call)
            return (try Self.encode(response, rest), disturbance)
        }
    }

    private static func encode(_ response: some Message, _ request: RESTRequest) throws(EngineError) -> [UInt8] {
        var options = JSONEncodingOptions()
        options.alwaysPrintEnumsAsInts = request.wantsNumbers
        do {
            return try response.jsonUTF8Bytes(options: options)
        } catch {
            throw EngineError(.fault, .internal, "The answer cannot be written as JSON.")
        }
    }

    /// Creates a route whose requests have no body.
    init<Request: Message, Response: Message>(
        _ endpoint: Endpoint<Request, Response>,
        path: any WritableKeyPath<Request, String> & Sendable
    ) {
        self.init(endpoint) { rest throws(EngineError) in
            var request = try rest.message(Request.self)
            request[keyPath: path] = rest.name
            return request
        }
    }

    /// Creates a route whose requests are their body.
    init<Request: Message, Response: Message>(
        whole endpoint: Endpoint<Request, Response>,
        path: any WritableKeyPath<Request, String> & Sendable
    ) {
        self.init(endpoint) { rest throws(EngineError) in
            var request = try rest.decoded(Request.self)
            request[keyPath: path] = rest.name
            return request
        }
    }

    /// Creates a route whose body is a field of the request.
    init<Request: Message, Response: Message, Field: Message>(
        _ endpoint: Endpoint<Request, Response>,
        path: any WritableKeyPath<Request, String> & Sendable,
        body: any WritableKeyPath<Request, Field> & Sendable
    ) {
        self.init(endpoint) { rest throws(EngineError) in
            var request = try rest.message(Request.self)
            request[keyPath: body] = try rest.decoded(Field.self)
            request[keyPath: path] = rest.name
            return request
        }
    }
}

extension RESTRoute {
    /// All routes.
    static let all: [RESTRoute] = [
        RESTRoute(.createTrip, path: \.parent, body: \.trip),
        RESTRoute(.getTrip, path: \.name),
        RESTRoute(.updateTrip, path: \.name, body: \.trip),
        RESTRoute(.deleteTrip, path: \.name),
        RESTRoute(whole: .searchTrips, path: \.parent),
        RESTRoute(whole: .reportBillableTrip, path: \.name),
        RESTRoute(.createVehicle, path: \.parent, body: \.vehicle),
        RESTRoute(.getVehicle, path: \.name),
        RESTRoute(.updateVehicle, path: \.name, body: \.vehicle),
        RESTRoute(whole: .updateVehicleLocation, path: \.name),
        RESTRoute(whole: .updateVehicleAttributes, path: \.name),
        RESTRoute(.listVehicles, path: \.parent),
        RESTRoute(whole: .searchVehicles, path: \.parent),
        RESTRoute(whole: .searchFuzzedVehicles, path: \.parent),
        RESTRoute(.deleteVehicle, path: \.name),
        RESTRoute(.createDeliveryVehicle, path: \.parent, body: \.deliveryVehicle),
        RESTRoute(.getDeliveryVehicle, path: \.name),
        RESTRoute(.updateDeliveryVehicle, path: \.deliveryVehicle.name, body: \.deliveryVehicle),
        RESTRoute(.listDeliveryVehicles, path: \.parent),
        RESTRoute(.deleteDeliveryVehicle, path: \.name),
        RESTRoute(.createTask, path: \.parent, body: \.task),
        RESTRoute(whole: .batchCreateTasks, path: \.parent),
        RESTRoute(.getTask, path: \.name),
        RESTRoute(.updateTask, path: \.task.name, body: \.task),
        RESTRoute(.listTasks, path: \.parent),
        RESTRoute(.deleteTask, path: \.name),
        RESTRoute(.getTaskTrackingInfo, path: \.name),
    ]
}
