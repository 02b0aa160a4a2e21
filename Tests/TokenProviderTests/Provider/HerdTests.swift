import Foundation
import TestRandomness
import TestTraits
import Testing

@testable import ExpiringCache
@testable import TokenProvider

/// Clients whose tokens began together must not refresh together for ever.
///
/// Ten thousand clients start within one second, as after an outage, and ask for their token every ten seconds, as the
/// Driver SDK does. The moments of their fetches follow from the policy alone, so no cache and no clock is needed.
@Suite("Ten thousand clients that began together")
struct HerdTests {
    private static let lifetime = 3540.0
    private static let clients = 10_000

    /// The peak of the fetches in ten seconds over their mean, during the fourth lifetime.
    private func peakOverMean(jitter: (inout SeededGenerator) -> Double) -> Double {
        let rules = CacheRules(CachingTokenProvider.Configuration().cache)
        var random = SeededGenerator(seed: 1)
        let window = (3 * Self.lifetime)..<(4 * Self.lifetime)
        var bins: [Int: Int] = [:]
        for _ in 0..<Self.clients {
            let phase = Double.random(in: 0..<10, using: &random)
            var fetchedAt = Double.random(in: 0..<1, using: &random)
            while fetchedAt < window.upperBound {
                if window.contains(fetchedAt) { bins[Int(fetchedAt / 10), default: 0] += 1 }
                let lifespan = rules.lifespan(of: Fetched((), lifetime: Self.lifetime), jitter: jitter(&random))
                let due = fetchedAt + Double(lifespan.fresh) / 1e9
                // The first call after the refresh is due starts it.
                fetchedAt = ((due - phase) / 10).rounded(.up) * 10 + phase
            }
        }
        let mean = Double(bins.values.reduce(0, +)) / (Self.lifetime / 10)
        return Double(bins.values.max() ?? 0) / mean
    }

    @Test("Jitter flattens a herd within three lifetimes", .tags(.b32))
    func flattens() throws {
        let without = peakOverMean { _ in 0.5 }
        let with = peakOverMean { Double.random(in: 0..<1, using: &$0) }
        #expect(with < 10)
        #expect(without > 10 * with)
        // The figures that are published.
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../..")
        let (peak, former) = (Int(with.rounded()), Int(without.rounded()))
        for (page, figures) in [
            ("docs/token-cache.md", ["\(peak) with this jitter, \(former) without (`HerdTests`)"]),
            (
                "Sources/TokenProvider/Documentation.docc/HowRefreshWorks.md",
                ["is \(peak) times the mean", "would be \(former) times the mean"]
            ),
        ] {
            let text = try String(contentsOf: root.appendingPathComponent(page), encoding: .utf8)
                .replacingOccurrences(of: "\n", with: " ")
            for figure in figures { #expect(text.contains(figure), "\(page): \(figure)") }
        }
    }
}
