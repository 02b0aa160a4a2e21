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

    /// Creates a refusal; the code is that of its rule, unless it has one of its own.
    init(_ rule: Rule, code: StatusCode? = nil, _ message: String, violations: [Violation] = []) {
        self.rule = rule
        self.code = code ?? rule.code
        self.message = message.beginning
        self.violations = violations
    }

    /// Creates the refusal of one field.
    static func refused(by rule: Rule, _ field: String, _ description: String) -> Self {
        let violation = Violation(field: field.beginning, description: description.beginning)
        return Self(rule, "\(field) \(description)", violations: [violation])
    }

    static func invalid(_ field: String, _ description: String) -> Self {
        refused(by: .fieldInvalid, field, description)
    }

    static func missing(_ field: String, _ description: String) -> Self {
        refused(by: .fieldMissing, field, description)
    }

    static func forbidden(_ field: String, _ description: String) -> Self {
        refused(by: .fieldForbidden, field, description)
    }

    static func immutable(_ field: String, _ description: String) -> Self {
        refused(by: .fieldImmutable, field, description)
    }

    static func malformed(_ field: String, _ description: String) -> Self {
        refused(by: .bodyMalformed, field, description)
    }
}

extension String {
    /// At most 256 bytes, for what a request can make long.
    var beginning: String {
        guard utf8.count > 256 else { return self }
        return String(decoding: utf8.prefix(256), as: UTF8.self)
    }
}
