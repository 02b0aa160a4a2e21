/// Responds to the requests of a listener.
package protocol Responder: Sendable {
    /// Returns the response; there always is one.
    func respond(to request: Request) async -> Response
}
