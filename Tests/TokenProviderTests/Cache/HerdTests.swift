import TestTools
import Testing

@testable import TokenProvider

/// Clients whose tokens began together must not refresh together for ever.
///
/// Ten thousand clients start within one second, as after an outage, and ask for their token every ten seconds, as the
/// Driver SDK does. The moments of their fetches follow from the policy alone, so no cache and no clock is needed.
struct HerdTests {
    private static let lifetime = 3540.0
    private static let clients = 10_000

    /// The peak of the fetches in ten seconds over their mean, during the fourth lifetime.
    private func peakOverMean(jitter: (inout SeededGenerator) -> Double) -> Double {
        var random = SeededGenerator(seed: 1)
        let window = (3 * Self.lifetime)..<(4 * Self.lifetime)
        var bins: [Int: Int] = [:]
        for _ in 0..<Self.clients {
            let phase = Double.random(in: 0..<10, using: &random)
            var fetchedAt = Double.random(in: 0..<1, using: &random)
            while fetchedAt < window.upperBound {
                if window.contains(fetchedAt) { bins[Int(fetchedAt / 10), default: 0] += 1 }
                let due = fetchedAt + CachedToken.Schedule(lifetime: Self.lifetime, random: jitter(&random)).fresh
                // The first call after the refresh is due starts it.
                fetchedAt = ((due - phase) / 10).rounded(.up) * 10 + phase
            }
        }
        let mean = Double(bins.values.reduce(0, +)) / (Self.lifetime / 10)
        return Double(bins.values.max() ?? 0) / mean
    }

    @Test
    func `Random moments spread the refreshes of ten thousand clients within three lifetimes`() {
        let without = peakOverMean { _ in 0.5 }
        let with = peakOverMean { Double.random(in: 0..<1, using: &$0) }
        #expect(with < 10)
        #expect(without > 10 * with)
    }
}
