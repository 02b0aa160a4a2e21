import ArgumentParser

/// Faults that are often wanted together.
enum FaultProfile: String, CaseIterable, ExpressibleByArgument {
    case healthy, flaky, lossy, outage, quota

    /// The faults.
    var faults: [Fault] {
        let unavailable = Fault.Effect.error(
            EngineError(.fault, "The service is currently unavailable.")
        )
        switch self {
        case .healthy: return []
        // One request in ten fails, and every other response is late.
        case .flaky: return [Fault(unavailable, every: 10), Fault(.latency(100), every: 2)]
        // Responses are lost and cut off.
        case .lossy: return [Fault(.broken(.reset), every: 20), Fault(.broken(.truncated), every: 15)]
        case .outage: return [Fault(unavailable)]
        // One request in five is over the quota.
        case .quota:
            var error = EngineError(.fault, code: .resourceExhausted, "Quota exceeded.")
            error.retryAfter = 1
            return [Fault(.error(error), every: 5)]
        }
    }
}
