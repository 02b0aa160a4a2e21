import TestTime

@testable import ExpiringCache

/// What a cache told its observer.
typealias EventLog = Journal<CacheEvent<String>>

extension EventLog {
    /// How many callers have begun to wait.
    var waits: Int { Self.count(.wait, entries) }
    /// How many fetches were started.
    var starts: Int { Self.count(.fetchStarted, entries) }
    /// How many fetches have ended.
    var ends: Int { Self.count(.fetchFinished, entries) }

    func wait(forWaits count: Int) async { await wait { Self.count(.wait, $0) >= count } }
    func wait(forEnds count: Int) async { await wait { Self.count(.fetchFinished, $0) >= count } }

    private static func count(_ name: Entry.Name, _ events: [Entry]) -> Int { events.count { $0.name == name } }
}
