/// Responds to the requests of a listener.
package protocol Responder: Sendable {
    func respond(to request: Request) async -> Response
}
