import HTTPTypes
import SwiftProtobuf

/// A method of the API on both transports: a verb and a path of REST, and a method of a gRPC service.
struct Route: Sendable {
    let verb: HTTPRequest.Method
    let template: PathTemplate
    /// Returns the response to a request as JSON, and what is to be done to it.
    let respond: @Sendable (Engine, RESTRequest) async throws(EngineError) -> (json: [UInt8], Disturbance?)
    /// Registers the method with the router of a gRPC server.
    let register: @Sendable (inout Router, Engine) -> Void

    private init<Request: Message, Response: Message>(
        _ endpoint: Endpoint<Request, Response>,
        decode: @escaping @Sendable (RESTRequest) throws(EngineError) -> Request
    ) {
        (verb, template) = endpoint.method.http
        respond = { engine, rest throws(EngineError) in
            let request: Request
            do throws(EngineError) {
                request = try decode(rest)
            } catch {
                throw engine.refused(error, method: endpoint.method.rawValue, call: rest.call)
            }
            let (response, disturbance) = try await engine.respond(to: request, endpoint, call: rest.call)
            return (try Self.encode(response, for: rest), disturbance)
        }
        register = { router, engine in Self.register(endpoint, with: &router, engine: engine) }
    }

    private static func encode(_ response: some Message, for request: RESTRequest) throws(EngineError) -> [UInt8] {
        var options = JSONEncodingOptions()
        options.alwaysPrintEnumsAsInts = request.wantsNumbers
        do {
            return try response.jsonUTF8Bytes(options: options)
        } catch {
            throw EngineError(.fault, code: .internal, "The response cannot be written as JSON.")
        }
    }

    /// Creates a route whose requests have no body.
    private init<Request: Message, Response: Message>(
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
    private init<Request: Message, Response: Message>(
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
    private init<Request: Message, Response: Message, Field: Message>(
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

extension Route {
    /// All methods.
    static let all: [Route] = [
        Route(Endpoints.createTrip, path: \.parent, body: \.trip),
        Route(Endpoints.getTrip, path: \.name),
        Route(Endpoints.updateTrip, path: \.name, body: \.trip),
        Route(Endpoints.deleteTrip, path: \.name),
        Route(whole: Endpoints.searchTrips, path: \.parent),
        Route(whole: Endpoints.reportBillableTrip, path: \.name),
        Route(Endpoints.createVehicle, path: \.parent, body: \.vehicle),
        Route(Endpoints.getVehicle, path: \.name),
        Route(Endpoints.updateVehicle, path: \.name, body: \.vehicle),
        Route(whole: Endpoints.updateVehicleLocation, path: \.name),
        Route(whole: Endpoints.updateVehicleAttributes, path: \.name),
        Route(Endpoints.listVehicles, path: \.parent),
        Route(whole: Endpoints.searchVehicles, path: \.parent),
        Route(whole: Endpoints.searchFuzzedVehicles, path: \.parent),
        Route(Endpoints.deleteVehicle, path: \.name),
        Route(Endpoints.createDeliveryVehicle, path: \.parent, body: \.deliveryVehicle),
        Route(Endpoints.getDeliveryVehicle, path: \.name),
        Route(Endpoints.updateDeliveryVehicle, path: \.deliveryVehicle.name, body: \.deliveryVehicle),
        Route(Endpoints.listDeliveryVehicles, path: \.parent),
        Route(Endpoints.deleteDeliveryVehicle, path: \.name),
        Route(Endpoints.createTask, path: \.parent, body: \.task),
        Route(whole: Endpoints.batchCreateTasks, path: \.parent),
        Route(Endpoints.getTask, path: \.name),
        Route(Endpoints.updateTask, path: \.task.name, body: \.task),
        Route(Endpoints.listTasks, path: \.parent),
        Route(Endpoints.deleteTask, path: \.name),
        Route(Endpoints.getTaskTrackingInfo, path: \.name),
    ]
}
