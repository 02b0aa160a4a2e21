import Foundation
import TokenProvider

/// Counts the events of a provider.
final class Statistics: @unchecked Sendable, CustomStringConvertible {
    // Sendable: the counters are only accessed under the lock.
    private let lock = NSLock()
    private var hits = 0
    private var fetches = 0
    private var failures = 0

    func note(_ event: TokenProviderEvent) {
        lock.withLock {
            switch event.name {
            case .hit: hits += 1
            case .fetchFinished:
                fetches += 1
                failures += event.error == nil ? 0 : 1
            default: break
            }
        }
    }

    var description: String {
        lock.withLock { "\(hits) calls were answered from the cache, \(fetches) fetches, \(failures) of them failed" }
    }
}
