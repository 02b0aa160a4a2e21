import TestTime
import TokenProvider

extension TestClock {
    /// What a provider and an engine take from the world, with chance that always draws the same.
    func environment(random: Double = 1) -> ProviderEnvironment {
        ProviderEnvironment(clock: cache, scheduler: scheduler, random: { random })
    }

    /// Waits until a timeout runs, and advances to what is due next.
    ///
    /// - Returns: The seconds that have passed.
    @discardableResult
    func next() async -> Double {
        await waitForTimeouts()
        return advanceToNext()
    }
}
