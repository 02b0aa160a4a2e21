package import FleetToken
package import ServiceSupport

extension TestClock {
    /// This clock as the service takes it.
    package var service: ServiceClock {
        ServiceClock(
            continuous: { self.continuous },
            wall: { self.wall },
            sleep: { try await self.sleep(for: $0 / .seconds(1)) },
            random: { self.random }
        )
    }

    /// The wall clock, rounded down to seconds.
    package var now: NumericDate { service.now }

    /// Nanoseconds on the clock that only goes forward.
    package var monotonic: Int64 { service.monotonic }
}

extension ServiceClock {
    /// Returns a clock on which no time passes.
    ///
    /// - Parameter seconds: The time on its wall clock, in seconds since 1970.
    /// - Returns: The clock.
    package static func stopped(at seconds: Int64 = 1_800_000_000) -> ServiceClock {
        TestClock(at: Double(seconds)).service
    }
}
