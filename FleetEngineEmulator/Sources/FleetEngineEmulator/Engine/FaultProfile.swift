/// Faults that are often wanted together.
enum FaultProfile: String, CaseIterable, Sendable {
    /// None.
    case healthy
    /// One request in ten fails, and many responses are late.
    case flaky
    /// Every request fails, until the faults are changed.
    case outage
    /// One request in five is over the quota.
    case quota
    /// The first update of each resource is refused for an empty mask.
    case firstUpdates = "first-updates"

    /// The names, for messages.
    static var names: String { allCases.map(\.rawValue).joined(separator: ", ") }

    /// The faults.
    var faults: [Fault] {
        switch self {
        case .healthy: []
        case .flaky:
            [
                Fault(
                    id: "unavailable",
                    probability: 0.1,
                    effect: .error(.unavailable, message: "The service is currently unavailable.", retryAfter: nil)
                ),
                Fault(id: "slow", probability: 0.5, effect: .latency(20...200)),
            ]
        case .outage:
            [
                Fault(
                    id: "outage",
                    effect: .error(.unavailable, message: "The service is currently unavailable.", retryAfter: nil)
                )
            ]
        case .quota:
            [
                Fault(
                    id: "quota",
                    probability: 0.2,
                    effect: .error(.resourceExhausted, message: "Quota exceeded.", retryAfter: 1)
                )
            ]
        case .firstUpdates: [Fault(id: "empty-mask", effect: .emptyMask)]
        }
    }
}
