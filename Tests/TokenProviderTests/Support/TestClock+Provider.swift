import Foundation
import TestTime
import Timing

@testable import TokenProvider

extension TestClock {
    /// What a provider takes from the world, with chance that always draws the same.
    func environment(random: Double = 0.5) -> ProviderEnvironment {
        ProviderEnvironment(clock: cache, scheduler: scheduler, random: { random })
    }

    /// What the wall clock shows.
    var now: Date { Date(timeIntervalSince1970: Double(cache.wall()) / 1e9) }
}
