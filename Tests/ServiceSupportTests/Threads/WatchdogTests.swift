import Testing

@testable import TestTools

struct WatchdogTests {
    private struct Failure: Error {}

    @Test
    func `A test that waits in vain is cancelled, and fails with a message that says so`() async throws {
        let test = try #require(Test.current)
        try await withKnownIssue {
            try await Watchdog(seconds: 0).provideScope(for: test, testCase: nil) {
                try await Task.sleep(for: .seconds(3_600))
            }
        } matching: {
            $0.comments.map(\.rawValue) == ["The test was not over after 0 seconds: it waits in vain."]
        }
    }

    @Test(arguments: [false, true])
    func `A test that ends in time, by its result or an error, is as without a watchdog`(byError: Bool) async throws {
        let test = try #require(Test.current)
        func run() async throws {
            try await Watchdog(seconds: 3_600).provideScope(for: test, testCase: nil) {
                if byError { throw Failure() }
            }
        }
        if byError { await #expect(throws: Failure.self) { try await run() } } else { try await run() }
    }

    @Test(
        arguments: [(0, 10), (1, 10), (2.5, 25), (6, 60), (40, 60)] as [(Double, Double)]
    )
    func `A test has the more time the more other work the machine has, up to six times its own`(
        load: Double,
        seconds: Double
    ) {
        #expect(Watchdog.patience(10, load: load) == seconds)
    }
}
