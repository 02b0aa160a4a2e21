import TestTraits
import Testing

@testable import TokenService

/// What systemd hears; that it is told at the right times is tested with the real service.
@Suite(.watchdog)
struct ServiceManagerTests {
    private struct Failure: Error {}

    @Test("A reload that fails is reported as over")
    func reloadThatFailsIsOverToo() async throws {
        let socket = try NotifySocket()
        let manager = try #require(ServiceManager(environment: ["NOTIFY_SOCKET": socket.path]))
        await #expect(throws: Failure.self) { try await manager.reloading { throw Failure() } }
        #expect(socket.heard().last == "READY=1")
    }

    @Test(
        "The watchdog is notified twice in its interval",
        arguments: [
            (nil, nil), ("0", nil), ("-1", nil), ("9223372036854775808", nil), ("many", nil),
            ("3000000", Duration.milliseconds(1500)), ("1", Duration.nanoseconds(500)),
        ]
    )
    func watchdogWantsToHearTwiceInItsTime(limit: String?, interval: Duration?) throws {
        var environment = ["NOTIFY_SOCKET": "/run/systemd/notify"]
        environment["WATCHDOG_USEC"] = limit
        #expect(try #require(ServiceManager(environment: environment)).watchdogInterval == interval)
        environment["WATCHDOG_PID"] = "1"
        #expect(try #require(ServiceManager(environment: environment)).watchdogInterval == nil)
    }
}
