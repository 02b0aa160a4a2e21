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
