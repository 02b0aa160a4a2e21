import HTTPServer

/// Answers each request with what is loaded when it comes; it is answered to its end with that.
struct CurrentResponder: Responder {
    let current: Current<LoadedService>

    func respond(to request: Request) async -> Response {
        await current.value.responder.respond(to: request)
    }
}
