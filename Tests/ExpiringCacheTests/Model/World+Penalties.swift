@testable import ExpiringCache

extension World {
    /// Whether the key's source may be asked again.
    func mayStart(_ key: Int) -> Bool {
        !remembersFailures || now.continuous >= penalties[key].notBefore
    }

    mutating func noteFailure(_ key: Int, retryAfter: Int64 = 0, denial: Int64 = 0) {
        penalties[key].failures += 1
        let pause = Self.shortestPause(after: penalties[key].failures) + retryAfter + denial
        penalize(key, for: pause, denial: denial)
    }

    mutating func noteRejection(_ key: Int, age: Int64) {
        penalties[key].rejections = age < Self.backoff.longest ? penalties[key].rejections + 1 : 1
        guard penalties[key].rejections > 1 else { return }
        penalize(key, for: Self.shortestPause(after: penalties[key].rejections - 1))
    }

    mutating func forgetDenial(_ key: Int) {
        penalties[key].notBefore -= penalties[key].denial
        penalties[key].denial = 0
    }

    private mutating func penalize(_ key: Int, for pause: Int64, denial: Int64 = 0) {
        guard now.continuous + pause > penalties[key].notBefore else { return }
        penalties[key].notBefore = now.continuous + pause
        penalties[key].denial = denial
    }

    /// With the smallest jitter, half a step: 1, 2, 4, 4, 4 … seconds.
    private static func shortestPause(after failures: Int) -> Int64 {
        var step = backoff.first
        for _ in 1..<max(failures, 1) { step = min(step * 2, backoff.longest) }
        return step / 2
    }
}
