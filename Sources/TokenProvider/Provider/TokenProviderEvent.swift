import ExpiringCache
public import FleetToken
public import Foundation
import Timing

/// An event of a ``CachingTokenProvider``, for logs, metrics and views that show a token's state.
///
/// No event contains a token or a credential. A scope contains IDs, which are personal data: aggregate by its `kind`.
public struct TokenProviderEvent: Hashable, Sendable {
    /// The name of the event.
    public let name: Name
    /// The scope of the token; nil for an event that concerns all tokens.
    public let scope: TokenScope?
    /// The reason for the fetch, for the start and end of a fetch.
    public let reason: TokenFetchReason?
    /// The duration of a fetch from its start, after any queueing, in seconds.
    public let duration: TimeInterval?
    /// The error of a failed fetch; nil for a successful one.
    public let error: TokenProviderError?

    init(
        _ name: Name,
        scope: TokenScope? = nil,
        reason: TokenFetchReason? = nil,
        duration: TimeInterval? = nil,
        error: TokenProviderError? = nil
    ) {
        self.name = name
        self.scope = scope
        self.reason = reason
        self.duration = duration
        self.error = error
    }
}

extension TokenProviderEvent {
    /// The name of an event.
    ///
    /// Names may be added: give a `switch` a `default` case.
    public struct Name: Hashable, Sendable, CustomStringConvertible {
        /// A stable name, for logs and metrics.
        public let description: String

        fileprivate init(_ description: String) {
            self.description = description
        }

        /// A call returned a cached token immediately.
        public static let hit = Self("hit")
        /// A call began to wait for a fetch.
        public static let wait = Self("wait")
        /// A fetch was started, or queued: ``CachingTokenProvider/Configuration/maximumConcurrentFetches`` run already, or the
        /// server recovers from a pause.
        public static let fetchStarted = Self("fetchStarted")
        /// A fetch ended, or was abandoned or dropped from the queue.
        public static let fetchFinished = Self("fetchFinished")
        /// A token was dropped because Fleet Engine rejected it.
        public static let invalidated = Self("invalidated")
        /// A scope's token was removed with ``CachingTokenProvider/remove(_:)``, or all tokens with
        /// ``CachingTokenProvider/removeAll()``; then the scope is nil.
        public static let removed = Self("removed")
        /// A token was evicted to make room for another.
        public static let evicted = Self("evicted")
    }
}

extension TokenProviderEvent {
    init(_ event: CacheEvent<TokenScope>) {
        self.init(
            Name(event.name.rawValue),
            scope: event.key,
            reason: event.reason.map { TokenFetchReason($0) },
            duration: event.duration,
            error: event.error.map { TokenProviderError($0) }
        )
    }

    /// Whether the event is a token's arrival or removal, or a failed fetch.
    var isChange: Bool {
        [.fetchFinished, .invalidated, .removed, .evicted].contains(name)
    }
}

/// Forwards events to any number of streams.
package final class Broadcast<Event: Sendable>: Sendable {
    private struct Reader: Sendable {
        let continuation: AsyncStream<Event>.Continuation
        let isWanted: @Sendable (Event) -> Bool
    }

    private struct State: Sendable {
        var readers: [UInt64: Reader] = [:]
        var lastID: UInt64 = 0
        var isFinished = false
    }

    private let state = Lock(State())

    package init() {}

    /// Returns a stream of those future events that are wanted; a slow reader loses the oldest of more than `bound`.
    package func stream(
        bound: Int = 256,
        where isWanted: @escaping @Sendable (Event) -> Bool = { _ in true }
    ) -> AsyncStream<Event> {
        AsyncStream(bufferingPolicy: .bufferingNewest(bound)) { continuation in
            let id = state.withLock { state -> UInt64? in
                guard !state.isFinished else { return nil }
                state.lastID += 1
                state.readers[state.lastID] = Reader(continuation: continuation, isWanted: isWanted)
                return state.lastID
            }
            guard let id else { return continuation.finish() }
            continuation.onTermination = { [weak self] _ in
                _ = self?.state.withLock { $0.readers.removeValue(forKey: id) }
            }
        }
    }

    /// The number of streams.
    var count: Int { state.withLock { $0.readers.count } }

    package func send(_ event: Event) {
        for reader in state.withLock({ Array($0.readers.values) }) where reader.isWanted(event) {
            reader.continuation.yield(event)
        }
    }

    package func finish() {
        let readers = state.withLock { state in
            state.isFinished = true
            defer { state.readers = [:] }
            return Array(state.readers.values)
        }
        for reader in readers { reader.continuation.finish() }
    }
}
