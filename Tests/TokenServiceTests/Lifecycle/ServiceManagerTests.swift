import Testing

@testable import TokenService

@Suite("What systemd is told; the times are tested with the real service")
struct ServiceManagerTests {
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
