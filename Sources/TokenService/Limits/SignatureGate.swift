import FleetToken
import Synchronization

/// Bounds the signatures under way and waiting, so that overload is refused early and cheaply.
final class SignatureGate: Sendable {
    private let maximum: Int
    private let count = Atomic<Int>(0)

    /// A gate that so many may pass at once.
    init(maximum: Int) {
        self.maximum = maximum
    }

    /// Runs a signature, if it is not one too many.
    ///
    /// - Throws: ``TokenError`` with reason ``TokenError/Reason/overloaded``, or what the body throws.
    func pass<Result>(_ body: () async throws -> Result) async throws -> Result {
        let (before, _) = count.add(1, ordering: .relaxed)
        defer { count.subtract(1, ordering: .relaxed) }
        guard before < maximum else {
            throw TokenError(.overloaded, "The service has more to sign than it can. Try again.", retryAfter: 1)
        }
        return try await body()
    }
}
