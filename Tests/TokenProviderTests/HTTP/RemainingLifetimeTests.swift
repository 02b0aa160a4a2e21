import TestTraits
import Testing
import Timing

@testable import TokenProvider

/// How long a fetched token lives: B19, B34 and B35.
struct RemainingLifetimeTests {
    private static let exp = 1_795_215_000.0
    private static let wrongClocks = [-400_000_000.0, -172_800, -3600, 0, 3600, 172_800, 400_000_000]

    @Test("The server's own figure counts, whatever the device's clock shows", .tags(.b19), arguments: wrongClocks)
    func relativeFigureFirst(deviceError: Double) {
        let lifetime = RemainingLifetime(
            secondsFromNow: 3400,
            expiresAt: Self.exp,
            issuedAt: Self.exp - 3600,
            serverClock: Self.exp - 3500,
            deviceClock: Self.exp - 3400 + deviceError
        )
        #expect(lifetime.seconds == 3400)
    }

    @Test(
        "Exp on the server's clock counts where it is earlier than the server's figure",
        .tags(.b49),
        arguments: wrongClocks
    )
    func earlierOfBoth(deviceError: Double) {
        for (left, expected) in [(-3600.0, -3600.0), (0, 0), (99, 99), (3399, 3399), (3401, 3400), (1e9, 3400)] {
            let lifetime = RemainingLifetime(
                secondsFromNow: 3400,
                expiresAt: Self.exp,
                issuedAt: Self.exp - 3600,
                serverClock: Self.exp - left,
                deviceClock: Self.exp - left + deviceError
            )
            #expect(lifetime.seconds == expected)
        }
    }

    @Test(
        "Without it, exp on the server's clock counts, whatever the device's shows",
        .tags(.b19),
        arguments: wrongClocks
    )
    func serverClockNext(deviceError: Double) {
        let lifetime = RemainingLifetime(
            expiresAt: Self.exp,
            issuedAt: Self.exp - 3600,
            serverClock: Self.exp - 1200,
            deviceClock: Self.exp - 1200 + deviceError
        )
        #expect(lifetime.seconds == 1200)
    }

    @Test(
        "The device's clock can shorten a token's life and never lengthen it",
        .tags(.b19),
        arguments: [
            (3600.0, 3600.0), (600, 600), (172_800, 3600), (-172_800, -172_800),
        ]
    )
    func deviceClockLast(left: Double, expected: Double) {
        let lifetime = RemainingLifetime(expiresAt: Self.exp, issuedAt: Self.exp - 3600, deviceClock: Self.exp - left)
        #expect(lifetime.seconds == expected)
    }

    @Test("No figure makes a token live longer than from iat to exp", arguments: [3601.0, 86_400, 1e9])
    func boundedByTheToken(figure: Double) {
        let relative = RemainingLifetime(
            secondsFromNow: figure,
            expiresAt: Self.exp,
            issuedAt: Self.exp - 3600,
            deviceClock: 0
        )
        #expect(relative.seconds == 3600)
        let skewedDate = RemainingLifetime(
            expiresAt: Self.exp,
            issuedAt: Self.exp - 3600,
            serverClock: Self.exp - figure,
            deviceClock: 0
        )
        #expect(skewedDate.seconds == 3600)
    }

    @Test("Missing iat, exp, Date and figure each have a fallback", .tags(.b34))
    func fallbacks() {
        #expect(RemainingLifetime(secondsFromNow: 1800, deviceClock: 0).seconds == 1800)
        #expect(RemainingLifetime(expiresAt: Self.exp, serverClock: Self.exp - 500, deviceClock: 0).seconds == 500)
        #expect(RemainingLifetime(expiresAt: Self.exp, deviceClock: Self.exp - 100).seconds == 100)
        // Only the device's clock is there to go by: it isn't believed for long.
        #expect(RemainingLifetime(expiresAt: Self.exp, deviceClock: Self.exp - 3000).seconds == 300)
        #expect(RemainingLifetime(issuedAt: Self.exp, serverClock: Self.exp, deviceClock: Self.exp).seconds == 300)
        #expect(RemainingLifetime(deviceClock: 0).seconds == 300)
    }

    @Test("A token that had expired has nothing left", .tags(.b35))
    func expired() {
        #expect(RemainingLifetime(secondsFromNow: -1, expiresAt: Self.exp, deviceClock: 0).seconds < 0)
        #expect(RemainingLifetime(secondsFromNow: 0, deviceClock: 0).seconds == 0)
        #expect(RemainingLifetime(expiresAt: Self.exp, serverClock: Self.exp + 10, deviceClock: 0).seconds == -10)
    }

    @Test("What a cache on the way kept is that much older")
    func age() {
        #expect(RemainingLifetime(secondsFromNow: 3540, deviceClock: 0, age: 3000).seconds == 540)
        #expect(RemainingLifetime(secondsFromNow: 3540, deviceClock: 0, age: 4000).seconds < 0)
    }
}
