import GRPCCore
import GRPCNIOTransportHTTP2Posix
import SwiftProtobuf

extension Route {
    typealias Router = RPCRouter<HTTP2ServerTransport.Posix>

    /// The methods of all three services, for a gRPC server.
    static func router(for engine: Engine) -> Router {
        var router = Router()
        for route in all { route.register(&router, engine) }
        return router
    }

    /// Registers a method of the API, whose requests and responses are one message each.
    static func register<Request: Message, Response: Message>(
        _ endpoint: Endpoint<Request, Response>,
        with router: inout Router,
        engine: Engine
    ) {
        let method = endpoint.method
        router.registerHandler(
            forMethod: MethodDescriptor(
                service: ServiceDescriptor(fullyQualifiedService: method.service),
                method: method.rawValue,
                type: .unary
            ),
            deserializer: MessageCoding<Request>(),
            serializer: MessageCoding<Response>(),
            handler: { stream, _ in
                let request = try await ServerRequest(stream: stream)
                return StreamingServerResponse(single: try await respond(to: request, endpoint, engine))
            }
        )
    }

    private static func respond<Request: Message, Response: Message>(
        to request: ServerRequest<Request>,
        _ endpoint: Endpoint<Request, Response>,
        _ engine: Engine
    ) async throws -> ServerResponse<Response> {
        var authorization = request.metadata[stringValues: "authorization"].makeIterator()
        let call = Call(transport: .grpc, authorization: authorization.next())
        let response: (message: Response, disturbance: Disturbance?)
        do {
            response = try await engine.respond(to: request.message, endpoint, call: call)
        } catch {
            throw error.rpcError
        }
        // What a client sees when its connection breaks; the others on it are spared.
        guard response.disturbance == nil else {
            throw RPCError(code: .unavailable, message: "The connection was reset.")
        }
        return ServerResponse(message: response.message)
    }
}

/// Writes and reads messages of a gRPC call.
///
/// The package grpc-swift-protobuf does the same, with all of Foundation and so ICU: 40 MB.
private struct MessageCoding<Content: SwiftProtobuf.Message>: MessageSerializer, MessageDeserializer {
    func serialize<Bytes: GRPCContiguousBytes>(_ message: Content) throws -> Bytes {
        let bytes: [UInt8] = try message.serializedBytes()
        return Bytes(bytes)
    }

    func deserialize<Bytes: GRPCContiguousBytes>(_ bytes: Bytes) throws -> Content {
        do {
            return try Content(serializedBytes: bytes.withUnsafeBytes { Array($0) })
        } catch {
            throw RPCError(code: .invalidArgument, message: "The request is not a \(Content.protoMessageName).")
        }
    }
}

extension EngineError {
    /// The error with `google.rpc.Status` in gRPC's trailers.
    ///
    /// https://github.com/googleapis/googleapis/tree/master/google/rpc has the numbers of the fields.
    fileprivate var rpcError: RPCError {
        var details = [Self.detail("ErrorInfo", [(1, Array(rule.reason.utf8)), (2, Array(Self.domain.utf8))])]
        if !violations.isEmpty {
            let fields = violations.map { violation -> (UInt8, [UInt8]) in
                (1, Self.message([(1, Array(violation.field.utf8)), (2, Array(violation.description.utf8))]))
            }
            details.append(Self.detail("BadRequest", fields))
        }
        if let retryAfter {
            let delay: [UInt8] = (try? Google_Protobuf_Duration(secondsRounded: retryAfter).serializedBytes()) ?? []
            details.append(Self.detail("RetryInfo", [(1, delay)]))
        }
        // The code is less than 128, and one byte then.
        let status = [0x08, UInt8(code.rawValue)] + Self.message([(2, Array(message.utf8))] + details.map { (3, $0) })
        return RPCError(
            code: Status.Code(rawValue: code.rawValue).flatMap { RPCError.Code($0) } ?? .unknown,
            message: message,
            metadata: ["grpc-status-details-bin": .binary(status)]
        )
    }

    private static func detail(_ name: String, _ fields: [(number: UInt8, bytes: [UInt8])]) -> [UInt8] {
        message([(1, Array("type.googleapis.com/google.rpc.\(name)".utf8)), (2, message(fields))])
    }

    /// Returns a message of fields that are texts, bytes or messages.
    private static func message(_ fields: [(number: UInt8, bytes: [UInt8])]) -> [UInt8] {
        fields.flatMap { number, bytes in
            var length: [UInt8] = []
            var rest = bytes.count
            repeat {
                length.append(UInt8(rest & 0x7F) | (rest > 0x7F ? 0x80 : 0))
                rest >>= 7
            } while rest > 0
            return [number << 3 | 2] + length + bytes
        }
    }
}
