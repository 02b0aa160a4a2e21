extension Fault {
    /// The names of ``profile(_:)``.
    static let profiles = ["healthy", "flaky", "lossy", "outage", "quota", "first-updates"]

    /// Returns faults that are often wanted together; nil for an unknown name.
    static func profile(_ name: String) -> [Fault]? {
        let unavailable = Effect.error(.unavailable, "The service is currently unavailable.")
        return switch name {
        case "healthy": []
        // One request in ten fails, and many responses are late.
        case "flaky": [Fault(unavailable, probability: 0.1), Fault(.latency(20...200), probability: 0.5)]
        // Responses are lost and cut off.
        case "lossy": [Fault(.disturb(.reset), probability: 0.05), Fault(.disturb(.truncate), probability: 0.05)]
        case "outage": [Fault(unavailable)]
        // One request in five is over the quota.
        case "quota": [Fault(.error(.resourceExhausted, "Quota exceeded.", retryAfter: 1), probability: 0.2)]
        case "first-updates": [Fault(.emptyMask)]
        default: nil
        }
    }
}
