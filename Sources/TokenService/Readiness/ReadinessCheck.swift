/// One readiness check.
struct ReadinessCheck: Sendable {
    /// The name, one word.
    let name: String
    /// Whether its failure makes the service unready; otherwise it is only reported.
    var isRequired = true
    /// The problem and its solution, without secrets and IDs; nil if there is none.
    let problem: @Sendable () async -> String?
}
