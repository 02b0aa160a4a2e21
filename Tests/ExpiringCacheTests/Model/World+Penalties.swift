@testable import ExpiringCache

extension World {
    /// Whether the key's source may be asked again.
    func mayStart(_ key: Int) -> Bool {
        !remembersFailures || !isPaused(key)
    }

    func isPaused(_ key: Int) -> Bool {
        now.continuous < max(penalties[key].pausedUntil, penalties[key].deniedUntil)
    }

    mutating func noteFailure(_ key: Int, retryAfter: Int64 = 0, denial: Int64? = nil) {
        penalties[key].failures += 1
        let pause = Self.shortestPause(after: penalties[key].failures)
        penalize(key, for: pause + retryAfter)
        if let denial { penalties[key].deniedUntil = now.continuous + pause + denial }
    }

    mutating func noteRejection(_ key: Int, age: Int64) {
        penalties[key].rejections = age < Self.backoff.longest ? penalties[key].rejections + 1 : 1
        guard penalties[key].rejections > 1 else { return }
        penalize(key, for: Self.shortestPause(after: penalties[key].rejections - 1))
    }

    private mutating func penalize(_ key: Int, for pause: Int64) {
        penalties[key].pausedUntil = max(penalties[key].pausedUntil, now.continuous + pause)
    }

    /// With the smallest jitter, half a step: 1, 2, 4, 4, 4 … seconds.
    private static func shortestPause(after failures: Int) -> Int64 {
        var step = backoff.first
        for _ in 1..<max(failures, 1) { step = min(step * 2, backoff.longest) }
        return step / 2
    }
}
