import StrictCoding
import Synchronization
import TokenProvider

/// Statistics of a provider's callers.
final class FetchStatistics: Sendable {
    /// The most hits of which the time is kept.
    private static let maximumTimes = 1_000_000

    private struct Counts {
        var calls = 0
        var hits = 0
        var waits = 0
        var fetches = 0
        var failedFetches = 0
        var errors = 0
        /// Nanoseconds.
        var hitTimes: [Int64] = []
    }

    private let counts = Mutex(Counts())

    func count(_ event: TokenProviderEvent) {
        counts.withLock { counts in
            switch event.name {
            case .fetchStarted: counts.fetches += 1
            case .fetchFinished where event.error != nil: counts.failedFetches += 1
            default: break
            }
        }
    }

    /// Counts a call: the time of a cache hit; all others count as waits.
    func countCall(hit duration: Duration?) {
        counts.withLock { counts in
            counts.calls += 1
            guard let duration else {
                counts.waits += 1
                return
            }
            counts.hits += 1
            let nanoseconds =
                duration.components.seconds * 1_000_000_000 + duration.components.attoseconds / 1_000_000_000
            if counts.hitTimes.count < Self.maximumTimes { counts.hitTimes.append(nanoseconds) }
        }
    }

    /// Counts a call that got no token.
    func countError() {
        counts.withLock { $0.errors += 1 }
    }

    var json: String {
        let counts = counts.withLock { $0 }
        let times = counts.hitTimes.sorted()
        var writer = JSONWriter()
        writer.object { writer in
            let members: [(String, Int)] = [
                ("calls", counts.calls), ("hits", counts.hits), ("fetches", counts.fetches),
                ("failedFetches", counts.failedFetches), ("errors", counts.errors), ("waits", counts.waits),
            ]
            for (name, value) in members {
                writer.name(text: name)
                writer.integer(value)
            }
            for (name, percent) in [("hitP50Nanoseconds", 50), ("hitP99Nanoseconds", 99)] where !times.isEmpty {
                writer.name(text: name)
                writer.integer(times[(times.count - 1) * percent / 100])
            }
        }
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
