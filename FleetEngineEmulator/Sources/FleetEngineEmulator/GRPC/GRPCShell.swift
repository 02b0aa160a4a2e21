import GRPCCore
import SwiftProtobuf

/// What the three gRPC services share: a request's way to the core and back.
protocol GRPCShell: Sendable {
    var engine: Engine { get }
}

extension GRPCShell {
    /// Answers a request.
    func respond<Request: Message, Response: Message>(
        to request: ServerRequest<Request>,
        _ endpoint: Endpoint<Request, Response>
    ) async throws -> ServerResponse<Response> {
        var authorization = request.metadata[stringValues: "authorization"].makeIterator()
        let call = Call(transport: .grpc, authorization: authorization.next())
        let response: (message: Response, disturbance: Disturbance?)
        do {
            response = try await engine.perform(endpoint, request.message, call)
        } catch {
            throw error.status
        }
        // What a client sees when its connection breaks; the others on it are spared.
        guard response.disturbance == nil else {
            throw RPCError(code: .unavailable, message: "The connection was reset.")
        }
        return ServerResponse(message: response.message)
    }
}
