import Synchronization

/// Events that are delivered in the order in which they were posted, outside any lock.
///
/// The owner posts under its own lock, so that this is the order of its states, and delivers after it.
final class Outbox<Event: Sendable>: Sendable {
    private struct State: Sendable {
        var events: [Event] = []
        var isDelivering = false
    }

    private let state = Mutex(State())

    func post(_ event: Event) {
        state.withLock { $0.events.append(event) }
    }

    /// Delivers the posted events, unless another thread is doing so.
    func deliver(_ receive: (Event) -> Void) {
        var isFirst = true
        while let event = next(isFirst: isFirst) {
            isFirst = false
            receive(event)
        }
    }

    private func next(isFirst: Bool) -> Event? {
        state.withLock { state in
            guard !isFirst || !state.isDelivering else { return nil }
            state.isDelivering = !state.events.isEmpty
            return state.isDelivering ? state.events.removeFirst() : nil
        }
    }
}
