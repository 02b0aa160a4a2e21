import TestRandomness

/// One thing that happens in a random trace.
///
/// Its numbers pick from whatever there is at the time.
enum Step: Hashable {
    case get(key: Int, needed: Int)
    case prefetch(key: Int)
    case leave(Int)
    case succeed(Int, lifetime: Int, jitter: Int)
    case fail(Int, retryAfter: Int, jitter: Int)
    case deny(Int, jitter: Int)
    case giveUp(Int, jitter: Int)
    case insert(key: Int, lifetime: Int, jitter: Int)
    case invalidate(key: Int, jitter: Int)
    case invalidateOld(key: Int)
    case removeAll
    case advance(Int)
    case setWallClock(Int)

    static func random(keys: Int, using random: inout SeededGenerator) -> Step {
        let key = Int.random(in: 0..<keys, using: &random)
        let pick = Int.random(in: 0..<1_000, using: &random)
        let jitter = Int.random(in: 0...4, using: &random)
        // Multiples of what all shares of a lifetime divide.
        let lifetime = [0, 2, 20, 100, 200, 1_000][Int.random(in: 0..<6, using: &random)] * 1_000
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<30: return .get(key: key, needed: [0, 0, 0, 30, 90, 150][pick % 6] * 1_000)
        case 30..<34: return .prefetch(key: key)
        case 34..<40: return .leave(pick)
        case 40..<54: return .succeed(pick, lifetime: lifetime, jitter: jitter)
        case 54..<59: return .fail(pick, retryAfter: [0, 0, 5, 60, 7_200][pick % 5] * 1_000, jitter: jitter)
        case 59..<62: return .deny(pick, jitter: jitter)
        case 62..<65: return .giveUp(pick, jitter: jitter)
        case 65..<68: return .insert(key: key, lifetime: lifetime, jitter: jitter)
        case 68..<72: return .invalidate(key: key, jitter: jitter)
        case 72..<74: return .invalidateOld(key: key)
        case 74: return .removeAll
        case 75..<97: return .advance([1, 250, 1_000, 4_000, 16_000, 30_000, 60_000, 160_000][pick % 8])
        default: return .setWallClock([-86_400_000, 86_400_000, -40_000, 40_000][pick % 4])
        }
    }
}
