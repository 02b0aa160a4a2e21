import ArgumentParser

/// What can go wrong in the demo.
enum Faults: String, CaseIterable, ExpressibleByArgument, Sendable {
    /// Nothing.
    case healthy
    /// One request in ten fails, and many responses are late.
    case flaky
    /// Responses are lost and cut off.
    case lossy
    /// Fleet Engine is unavailable for 30 seconds.
    case outage
    /// One request in five is over the quota.
    case quota
    /// The first update of the vehicle is refused.
    case firstUpdates = "first-updates"
    /// Fleet Engine's clock is two hours ahead for 20 seconds.
    case skewed

    static var names: String { allCases.map(\.rawValue).joined(separator: ", ") }
}
