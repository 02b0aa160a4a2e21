/// What a key's cache should do, worked out from all that ever happened to it, each time anew: slow, and plain.
///
/// Times are milliseconds. It was written from the rules in `docs/token-cache.md`, and shares no code with the machine.
struct Story {
    struct Moment: Hashable {
        var continuous: Int
        var wall: Int
    }

    struct Value: Hashable {
        let number: Int
        /// Of two values the one with the greater order began later.
        let order: Int
        let began: Moment
        let lifetime: Int
        /// In quarters, as all chance is here.
        let jitter: Int

        var usableFor: Int { lifetime - min(Story.minimumRemaining, lifetime / 2) }
        var freshFor: Int {
            let ahead = min(Story.refreshAhead, lifetime / 5)
            return usableFor - ahead + ahead / 2 * jitter / 4
        }

        func age(_ now: Moment) -> Int {
            max(now.continuous - began.continuous, now.wall - began.wall)
        }
        func serves(_ needed: Int, _ now: Moment) -> Bool {
            age(now) < usableFor && lifetime - age(now) >= needed
        }
    }

    enum Fact {
        case kept(Value)
        case succeeded
        case failed(Moment, jitter: Int, pause: Int)
        case denied(Moment, jitter: Int)
        case rejected(Moment, age: Int, jitter: Int)
        case emptied
    }

    static let minimumRemaining = 30_000
    static let refreshAhead = 40_000
    static let backoff = 2_000...16_000
    static let denial = 10_000

    var facts: [Fact] = []

    /// The value that is kept, of use or not.
    var kept: Value? {
        for fact in facts.reversed() {
            switch fact {
            case .kept(let value): return value
            case .rejected, .emptied: return nil
            case .succeeded, .failed, .denied: continue
            }
        }
        return nil
    }

    /// Whether the last value was rejected, and nothing was kept since.
    var awaitsReplacement: Bool {
        for fact in facts.reversed() {
            switch fact {
            case .rejected: return true
            case .kept, .emptied: return false
            case .succeeded, .failed, .denied: continue
            }
        }
        return false
    }

    /// Until when the source mustn't be asked.
    var pausedUntil: Int {
        var failures = 0
        var rejections = 0
        var pause = Int.min
        var denial = Int.min
        for fact in facts {
            switch fact {
            case .kept: break
            case .succeeded: failures = 0
            case .failed(let now, let jitter, let extra):
                failures += 1
                pause = max(pause, now.continuous + extra + Self.pause(failures, jitter))
            case .denied(let now, let jitter):
                failures += 1
                pause = max(pause, now.continuous + Self.pause(failures, jitter))
                denial = now.continuous + Self.pause(failures, jitter) + Self.denial
            case .rejected(let now, let age, let jitter):
                rejections = age < Self.backoff.upperBound ? rejections + 1 : 1
                if rejections > 1 { pause = max(pause, now.continuous + Self.pause(rejections - 1, jitter)) }
            case .emptied: denial = .min
            }
        }
        return max(pause, denial)
    }

    private static func pause(_ count: Int, _ jitter: Int) -> Int {
        var pause = backoff.lowerBound
        for _ in 1..<count where pause < backoff.upperBound { pause *= 2 }
        return pause / 2 + pause / 2 * jitter / 4
    }
}
