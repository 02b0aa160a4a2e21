import Foundation
import TokenProvider

/// What a hit is compared with: a lock, a dictionary and one reading of a clock, and nothing else.
final class BareCache: @unchecked Sendable {
    // The lock guards the entries, and nothing else is changed after the initialiser.
    private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private var entries: [TokenScope: (token: Token, deadline: UInt64)] = [:]

    init(_ tokens: [Token]) {
        pthread_mutex_init(lock, nil)
        for token in tokens { entries[token.scope] = (token, .max) }
    }

    deinit {
        pthread_mutex_destroy(lock)
        lock.deallocate()
    }

    func token(for scope: TokenScope) -> Token? {
        let time = now()
        pthread_mutex_lock(lock)
        defer { pthread_mutex_unlock(lock) }
        guard let entry = entries[scope], time < entry.deadline else { return nil }
        return entry.token
    }
}

/// The usual Swift way: an actor.
actor ActorCache {
    private var entries: [TokenScope: (token: Token, deadline: UInt64)] = [:]

    init(_ tokens: [Token]) {
        for token in tokens { entries[token.scope] = (token, .max) }
    }

    func token(for scope: TokenScope) -> Token? {
        guard let entry = entries[scope], now() < entry.deadline else { return nil }
        return entry.token
    }
}

private func now() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}
