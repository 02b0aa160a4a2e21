/// What answers the requests of a listener.
package protocol Responder: Sendable {
    /// The answer; there always is one.
    func respond(to request: Request) async -> Response
}
