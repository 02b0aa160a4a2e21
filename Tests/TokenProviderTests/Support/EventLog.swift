import Foundation

@testable import TokenProvider

/// A provider's events.
final class EventLog: Sendable {
    private let log = Lock<[TokenEvent]>([])

    var entries: [TokenEvent] { log.withLock { $0 } }

    var onEvent: @Sendable (TokenEvent) -> Void { { [log] event in log.withLock { $0.append(event) } } }
}

extension TokenProviderError.Code {
    static let all = (0..<3_000).compactMap { Self(rawValue: $0) }

    /// The name in the table of cases, which JavaScript shares.
    var name: String { "\(self)" }
}

/// Opens once; tasks wait for it.
final class Gate: Sendable {
    private let state = Lock((isOpen: false, waiters: [CheckedContinuation<Void, Never>]()))

    func wait() async {
        await withCheckedContinuation { continuation in
            let isOpen = state.withLock { state in
                if !state.isOpen { state.waiters.append(continuation) }
                return state.isOpen
            }
            if isOpen { continuation.resume() }
        }
    }

    func open() {
        let waiters = state.withLock { state in
            defer { state = (true, []) }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }
}
