import ServiceSupport
package import StrictCoding
import TokenIssuance
import TokenMinting

/// Which grant decides a request, and why the others do not.
package struct Explanation: Sendable {
    private let decision: GrantDecision

    init(_ decision: GrantDecision) {
        self.decision = decision
    }

    /// The decision.
    package var outcome: ExpectedDecisions.Outcome { decision.outcome }

    /// A line for the outcome and one for each evaluated grant.
    package var text: String {
        let steps = decision.steps.map { "  \($0.grant): \($0.verdict)".harmlessLine }
        return (["\(outcome)"] + steps).joined(separator: "\n")
    }

    /// The explanation for programs: schema 1, to which later versions only add.
    package var json: JSONValue {
        let grants = decision.steps.map { step in
            JSONValue(members: [
                ("grant", .string(step.grant)), ("verdict", .string(step.verdict.outcome.rawValue)),
                ("message", .string("\(step.verdict)")),
            ])
        }
        return JSONValue(members: [
            ("schema", .integer(1)), ("outcome", .string(outcome.rawValue)),
            ("grant", decision.grant.map { .string($0) } ?? .null), ("grants", .array(grants)),
        ])
    }
}

extension GrantDecision {
    /// The outcome as operators write it.
    var outcome: ExpectedDecisions.Outcome {
        if grant != nil { return .allowed }
        return steps.contains { $0.verdict.outcome == .needsWebhook } ? .needsWebhook : .denied
    }
}

extension GrantDecision.Verdict {
    fileprivate var outcome: ExpectedDecisions.Outcome {
        switch self {
        case .allowed: .allowed
        case .needsWebhook: .needsWebhook
        case .denied: .denied
        }
    }
}
