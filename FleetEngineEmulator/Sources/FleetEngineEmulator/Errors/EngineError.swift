/// A refusal: what `google.rpc.Status` says on both transports, and the rule behind it for the journal.
struct EngineError: Error, Sendable {
    /// A field of the request and what is wrong with it.
    struct Violation: Sendable, Equatable {
        let field: String
        let description: String
    }

    /// The rule that refused.
    let rule: Rule
    let code: StatusCode
    let message: String
    var violations: [Violation] = []
    /// When to try again, in seconds.
    var retryAfter: Double?

    /// Creates a refusal with the code of its rule.
    init(_ rule: Rule, _ message: String, violations: [Violation] = []) {
        self.init(rule, rule.code, message)
        self.violations = violations
    }

    /// Creates a refusal with a code of its own.
    init(_ rule: Rule, _ code: StatusCode, _ message: String) {
        self.rule = rule
        self.code = code
        self.message = message
    }

    /// Creates the refusal of one field.
    static func field(_ rule: Rule, _ field: String, _ description: String) -> Self {
        Self(rule, "\(field) \(description)", violations: [Violation(field: field, description: description)])
    }
}
