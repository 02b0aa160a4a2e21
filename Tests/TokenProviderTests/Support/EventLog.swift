import TestTime

@testable import TokenProvider

/// A provider's events.
typealias EventLog = Journal<TokenProviderEvent>

extension EventLog {
    var observer: @Sendable (TokenProviderEvent) -> Void { { [self] in append($0) } }

    /// Waits until so many fetches have ended, all told.
    func waitForFetches(_ count: Int) async {
        await wait { $0.count(where: \.isFetchEnd) >= count }
    }

    /// Waits until all fetches that have begun have ended.
    func waitForQuiet() async {
        await wait { events in events.count(where: \.isFetchEnd) >= events.count { $0.name == .fetchStarted } }
    }

    /// Waits until so many callers have begun to wait, all told.
    func waitForWaiters(_ count: Int) async {
        await wait { $0.count(where: \.isWait) >= count }
    }
}

extension TokenProviderEvent {
    var isFetchEnd: Bool { name == .fetchFinished }
    var isWait: Bool { name == .wait }
}
