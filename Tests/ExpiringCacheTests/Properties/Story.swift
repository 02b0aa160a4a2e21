/// What a key's cache should do, worked out from all that ever happened to it, each time anew: slow, and plain.
///
/// Times are milliseconds. It was written from the rules in `docs/token-cache.md`, and shares no code with the machine.
struct Story {
    struct Moment: Hashable {
        var continuous: Int
        var wall: Int

        func since(_ earlier: Moment) -> Int {
            max(continuous - earlier.continuous, wall - earlier.wall)
        }
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

        func age(_ now: Moment) -> Int { now.since(began) }
        func serves(_ needed: Int, _ now: Moment) -> Bool {
            age(now) < usableFor && lifetime - age(now) >= needed
        }
    }

    enum Fact {
        case kept(Value)
        case succeeded(meeting: Int)
        case short(Moment, lifetime: Int, jitter: Int)
        case failed(Moment, jitter: Int, pause: Int)
        case denied(Moment, jitter: Int)
        case rejected(Moment, age: Int, jitter: Int)
        case emptied(Moment)
    }

    /// What its past forbids a key.
    struct Limits {
        /// Until when its source mustn't be asked, for the source's sake.
        var pause = Int.min
        /// Until when it mustn't be asked, unless another user comes.
        var denial = Int.min
        /// Until when it mustn't be asked for values that live longer than it gives them.
        var shortage = Int.min
        var longest = Int.max
    }

    static let minimumRemaining = 30_000
    static let refreshAhead = 40_000
    static let backoff = 2_000...16_000
    static let denial = 10_000
    /// A fetch that is older wasn't given up in time.
    static let longestFetch = 20_000
    static let abandonment = 60_000

    var facts: [Fact] = []

    /// The value that is kept, of use or not.
    var kept: Value? {
        for fact in facts.reversed() {
            switch fact {
            case .kept(let value): return value
            case .rejected, .emptied: return nil
            case .succeeded, .short, .failed, .denied: continue
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
            case .succeeded, .short, .failed, .denied: continue
            }
        }
        return false
    }

    /// Whether the source mustn't be asked for a value that lives so long.
    func isClosed(needing needed: Int, _ now: Moment) -> Bool {
        let limits = limits
        return now.continuous < max(limits.pause, limits.denial)
            || needed > limits.longest && now.continuous < limits.shortage
    }

    private var limits: Limits {
        var limits = Limits()
        var failures = 0
        var denials = 0
        var rejections = 0
        var shortfalls = 0
        var pardons = 0
        var lastPardon = 0
        for fact in facts {
            switch fact {
            case .kept: break
            case .succeeded(let needed):
                failures = 0
                denials = 0
                guard needed > limits.longest else { break }
                shortfalls = 0
                limits.longest = .max
                limits.shortage = .min
            case .short(let now, let lifetime, let jitter):
                shortfalls += 1
                limits.longest = lifetime
                limits.shortage = max(limits.shortage, now.continuous + Self.pause(shortfalls, jitter))
            case .failed(let now, let jitter, let extra):
                failures += 1
                let backoff = Self.pause(failures, jitter)
                limits.pause = max(limits.pause, now.continuous + max(backoff, min(extra + backoff, 3_600_000)))
            case .denied(let now, let jitter):
                denials += 1
                limits.denial = max(limits.denial, now.continuous + Self.pause(denials, jitter) + Self.denial)
                guard pardons > 1 else { break }
                limits.pause = max(limits.pause, now.continuous + Self.pause(pardons - 1, jitter))
            case .rejected(let now, let age, let jitter):
                rejections = age < Self.backoff.upperBound ? rejections + 1 : 1
                guard rejections > 1 else { break }
                limits.denial = max(limits.denial, now.continuous + Self.pause(rejections - 1, jitter))
                guard pardons > 1 else { break }
                limits.pause = max(limits.pause, now.continuous + Self.pause(pardons - 1, jitter))
            case .emptied(let now):
                if now.continuous < limits.denial {
                    let isSoon = pardons > 0 && now.continuous - lastPardon < Self.backoff.upperBound
                    pardons = isSoon ? pardons + 1 : 1
                    lastPardon = now.continuous
                }
                limits.denial = .min
                denials = 0
            }
        }
        return limits
    }

    private static func pause(_ count: Int, _ jitter: Int) -> Int {
        var pause = backoff.lowerBound
        for _ in 1..<count where pause < backoff.upperBound { pause *= 2 }
        return pause / 2 + pause / 2 * jitter / 4
    }
}
