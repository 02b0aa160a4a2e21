import FleetToken
import HTTPTypes

/// An error response of the API, and the rule that refused the request.
struct EngineError: Error, Sendable {
    /// A field of the request and what is wrong with it.
    struct Violation: Sendable, Equatable {
        let field: String
        let description: String
    }

    /// The domain in error details: not Google's, so that no one takes the emulator for it.
    private static let domain = "fleet-engine-emulator"

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

    static func malformed(_ field: String, _ description: String) -> Self {
        refused(by: .bodyMalformed, field, description)
    }

    /// Creates the refusal of a whole body.
    static func malformed(_ problem: String) -> Self { Self(.bodyMalformed, problem) }

    static func notFound(_ name: String) -> Self { Self(.notFound, "\(name) was not found.") }

    static func alreadyExists(_ name: String) -> Self { Self(.alreadyExists, "\(name) already exists.") }
}

extension EngineError {
    /// The error as `google.rpc.Status` in JSON.
    var json: JSONValue {
        var details = [
            detail("ErrorInfo", [("reason", .string(rule.reason)), ("domain", .string(Self.domain))])
        ]
        if !violations.isEmpty {
            let fields = violations.map { violation in
                JSONValue.members([
                    ("field", .string(violation.field)), ("description", .string(violation.description)),
                ])
            }
            details.append(detail("BadRequest", [("fieldViolations", .array(fields))]))
        }
        if let retryAfter { details.append(detail("RetryInfo", [("retryDelay", .duration(retryAfter))])) }
        let status = JSONValue.members([
            ("code", .integer(Int64(code.http))), ("message", .string(message)), ("status", .string(code.name)),
            ("details", .array(details)),
        ])
        return .members([("error", status)])
    }

    private func detail(_ name: String, _ fields: [(name: String, value: JSONValue?)]) -> JSONValue {
        .members([("@type", .string("type.googleapis.com/google.rpc.\(name)"))] + fields)
    }

    /// The header fields that the error needs.
    var headers: HTTPFields {
        var headers: HTTPFields = [:]
        if code == .unauthenticated {
            headers[.wwwAuthenticate] = #"Bearer realm="https://accounts.google.com/", error="invalid_token""#
        }
        if let retryAfter { headers[.retryAfter] = String(Int(retryAfter.rounded(.up))) }
        return headers
    }
}

extension String {
    /// At most 256 bytes, for what a request can make long.
    var beginning: String {
        guard utf8.count > 256 else { return self }
        return String(decoding: utf8.prefix(256), as: UTF8.self)
    }
}
