/// One thing that is looked at when somebody asks whether the service is ready.
struct ReadinessCheck: Sendable {
    /// Its name, one word.
    let name: String
    /// Whether the service is not ready while it fails; otherwise it is only told.
    var isRequired = true
    /// What is wrong and what to do, without a secret or an ID; nil when nothing is.
    let problem: @Sendable () async -> String?
}
