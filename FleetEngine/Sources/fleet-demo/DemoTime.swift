import Foundation

/// A clock that runs faster than real time.
struct DemoTime: Sendable {
    let speed: Double
    private let clock = ContinuousClock()
    private let start = ContinuousClock.now
    private let wallStart = Date()

    init(speed: Double) {
        self.speed = speed
    }

    /// The seconds since the demo began.
    var now: Double { (clock.now - start) / .seconds(1) * speed }

    /// The date on the demo's clock.
    var date: Date { wallStart.addingTimeInterval(now) }

    @Sendable
    func sleep(_ seconds: Double) async throws {
        try await Task.sleep(for: .seconds(seconds / speed))
    }
}
