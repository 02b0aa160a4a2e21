import ArgumentParser

/// Faults that are often wanted together.
enum FaultProfile: String, CaseIterable, ExpressibleByArgument {
    case healthy, flaky, lossy, quota

    /// The faults.
    var faults: [Fault] {
        switch self {
        case .healthy: return []
        // One request in ten fails, and every other response is late.
        case .flaky:
            let unavailable = EngineError(.fault, "The service is currently unavailable.")
            return [Fault(.error(unavailable), every: 10), Fault(.latency(100), every: 2)]
        // Responses are lost and cut off.
        case .lossy: return [Fault(.broken(.reset), every: 20), Fault(.broken(.truncated), every: 15)]
        // One request in five is over the quota.
        case .quota:
            var error = EngineError(.fault, code: .resourceExhausted, "Quota exceeded.")
            error.retryAfter = 1
            return [Fault(.error(error), every: 5)]
        }
    }
}
