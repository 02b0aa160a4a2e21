/// What one load made: complete and checked, and put in place as a whole.
final class LoadedService: Sendable {
    let parts: ProductionParts
    let responder: TokenResponder
    let tokens: JWTAuthenticator
    let audit: AuditTrail

    init(parts: ProductionParts, responder: TokenResponder, tokens: JWTAuthenticator, audit: AuditTrail) {
        self.parts = parts
        self.responder = responder
        self.tokens = tokens
        self.audit = audit
    }
}
