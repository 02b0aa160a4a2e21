import SwiftProtobuf

/// How the emulator answers a method: alike on both transports.
struct Endpoint<Request: Message, Response: Message>: Sendable {
    let method: Method
    /// The resource, or its parent, that a request names.
    let name: @Sendable (Request) -> String
    /// The collection that the name must be in; nil for a provider.
    let collection: Collection?
    /// What a request needs of a token.
    let need: @Sendable (Request, ResourceName, Fleet) throws(EngineError) -> Need
    /// Performs the request, after the token was checked.
    let handle: @Sendable (inout Fleet, Request, Principal, Timestamp) throws(EngineError) -> Response
}
