import SwiftProtobuf

/// A method's rules and its effect, the same for both transports.
struct Endpoint<Request: Message, Response: Message>: Sendable {
    let method: Method
    /// The resource, or its parent, that a request names.
    let name: @Sendable (Request) -> String
    /// The collection that the name must be in; nil for a provider.
    var collection: Collection?
    /// What a request needs of a token.
    let need: @Sendable (Request, ResourceName, Fleet) throws(EngineError) -> Need
    /// Performs the request, after the token was checked.
    let handle: @Sendable (inout Fleet, Request, Timestamp) throws(EngineError) -> Response
}

/// The methods of the API.
enum Endpoints {}

/// What the transports know of a request beside its message.
struct Call: Sendable {
    /// A way to the emulator.
    enum Transport: String, Sendable {
        case rest, grpc
    }

    let transport: Transport
    /// The field `Authorization`.
    let authorization: String?
}
