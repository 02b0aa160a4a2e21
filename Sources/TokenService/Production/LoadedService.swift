import HTTPServer
import TokenIssuance

/// The result of a load: complete, checked, and activated as a whole.
final class LoadedService: Sendable {
    let parts: ServiceComponents
    let responder: TokenResponder
    let tokens: JWTAuthenticator
    let audit: AuditTrail
    /// The kinds whose keys are elsewhere, and could not be tried out.
    let unreachable: [String]

    init(
        parts: ServiceComponents,
        responder: TokenResponder,
        tokens: JWTAuthenticator,
        audit: AuditTrail,
        unreachable: [String]
    ) {
        self.parts = parts
        self.responder = responder
        self.tokens = tokens
        self.audit = audit
        self.unreachable = unreachable
    }
}

/// Responds to each request with the service that is loaded when it arrives.
struct CurrentResponder: Responder {
    let current: Current<LoadedService>

    var next: any Responder { current.value.responder }

    func respond(to request: Request) async -> Response {
        await next.respond(to: request)
    }
}
