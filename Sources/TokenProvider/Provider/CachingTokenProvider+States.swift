import ExpiringCache
public import FleetToken

extension CachingTokenProvider {
    /// Returns the state of a scope's token: the current state first, and then each change.
    ///
    /// The first state is ``TokenState/failed(_:)`` if a call would fail now because of an earlier failure: its error says
    /// when the next attempt is made. It requests no token, and a token that expires without a request doesn't change
    /// the state. The stream ends with the provider. A slow reader gets the latest state only.
    ///
    /// ```swift
    /// for await state in tokens.states(of: scope) {
    ///     switch state {
    ///     case .available: status = "Connected"
    ///     case .failed(let error): status = error.message
    ///     default: status = "Connecting"
    ///     }
    /// }
    /// ```
    public func states(of scope: TokenScope) -> AsyncStream<TokenState> {
        // Subscribed before the first state is read, so no change is missed. The state is read when the stream's reader
        // takes it: events may arrive out of order, but the cache is read after them.
        let events = broadcast.stream(bound: 1) { $0.scope == scope || $0.scope == nil }
        let reader = StateReader(provider: self, scope: scope, events: events)
        return AsyncStream { await reader.next() }
    }
}

/// Reads the state of a scope's token after each event; an actor, because a stream may be read by several tasks.
private actor StateReader {
    private weak var provider: CachingTokenProvider?
    private let scope: TokenScope
    private let events: AsyncStream<TokenProviderEvent>
    private var last: TokenState?

    init(provider: CachingTokenProvider, scope: TokenScope, events: AsyncStream<TokenProviderEvent>) {
        self.provider = provider
        self.scope = scope
        self.events = events
    }

    func next() async -> TokenState? {
        if last == nil { return take(nil) }
        for await event in events {
            let previous = last
            if let state = take(event), state != previous { return state }
        }
        return nil
    }

    private func take(_ event: TokenProviderEvent?) -> TokenState? {
        guard let provider else { return nil }
        let state: TokenState =
            switch (provider.cache.peek(scope), event?.error) {
            case (.success(let token), _): .available(token)
            case (_, let error?): .failed(error)
            // At first, an earlier failure shows in that a call would fail now.
            case (.failure(let error), nil) where event == nil: .failed(TokenProviderError(error))
            case (_, nil): .missing
            }
        last = state
        return state
    }
}

/// The state of a scope's token, for a view that shows it; see ``CachingTokenProvider/states(of:)``.
///
/// States may be added.
#if hasAttribute(nonexhaustive)
@nonexhaustive
#endif
public enum TokenState: Equatable, Sendable {
    /// There is no usable token: none was requested yet, or it was removed, rejected or evicted.
    case missing
    /// There is a usable token.
    case available(Token)
    /// There is no usable token, because the last fetch failed.
    case failed(TokenProviderError)
}
