import HTTPServer

/// Responds to each request with the service that is loaded when it arrives.
struct CurrentResponder: Responder {
    let current: Current<LoadedService>

    func respond(to request: Request) async -> Response {
        await current.value.responder.respond(to: request)
    }
}
