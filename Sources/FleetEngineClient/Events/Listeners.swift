import Foundation
import Timing

/// The listeners of a model or a reporter: objects, which are held weakly, and streams.
///
/// A listener gets the events in the order in which they were posted, outside any lock, and none after it was removed. The
/// owner posts under its own lock, so that this is the order of its states, and delivers after it.
final class Listeners<Event: Sendable>: Sendable {
    typealias ID = UInt64

    struct Listener: Sendable {
        /// The object that listens, which the functions hold weakly; nil for a stream.
        var object: ObjectIdentifier?
        /// Whether the object still exists.
        var isAlive: @Sendable () -> Bool = { true }
        var receive: @Sendable (Event) -> Void
        /// Called when the owner is released.
        var end: @Sendable () -> Void = {}
    }

    private struct State: Sendable {
        var listeners: [ID: Listener] = [:]
        var lastID: ID = 0
        /// Events that are still to be delivered.
        var outbox: [(event: Event, ids: [ID])] = []
        var isDelivering = false
    }

    private let state = Lock(State())

    func nextID() -> ID {
        state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
    }

    /// Adds a listener with an ID of ``nextID()``.
    ///
    /// Before that, remove those that were ``released()``: an object leaves its address to another one.
    ///
    /// - Returns: Whether it was added: an object listens only once.
    @discardableResult
    func add(_ listener: Listener, as id: ID) -> Bool {
        state.withLock { state in
            let isKnown = state.listeners.values.contains { $0.object != nil && $0.object == listener.object }
            if !isKnown { state.listeners[id] = listener }
            return !isKnown
        }
    }

    /// Removes a listener.
    ///
    /// - Returns: Whether there was one.
    @discardableResult
    func remove(_ id: ID) -> Bool {
        state.withLock { $0.listeners.removeValue(forKey: id) != nil }
    }

    /// Returns the IDs of the listeners whose objects were released.
    func released() -> [ID] {
        // They are asked outside the lock: the question can release an object, whose `deinit` may remove it.
        state.withLock { $0.listeners }.filter { !$0.value.isAlive() }.map(\.key)
    }

    func id(of object: any AnyObject & Sendable) -> ID? {
        let object = ObjectIdentifier(object)
        return state.withLock { state in state.listeners.first { $0.value.object == object }?.key }
    }

    func contains(_ id: ID) -> Bool { state.withLock { $0.listeners[id] != nil } }

    /// Queues an event for these listeners, or for all.
    func post(_ event: Event, to ids: [ID]? = nil) {
        state.withLock { $0.outbox.append((event, ids ?? $0.listeners.keys.sorted())) }
    }

    /// Delivers the queued events, unless another thread is doing so.
    func deliver() {
        var isFirst = true
        while let (event, listeners) = next(isFirst: isFirst) {
            isFirst = false
            for listener in listeners { listener.receive(event) }
        }
    }

    private func next(isFirst: Bool) -> (Event, [Listener])? {
        state.withLock { state in
            guard !isFirst || !state.isDelivering else { return nil }
            state.isDelivering = !state.outbox.isEmpty
            guard state.isDelivering else { return nil }
            let (event, ids) = state.outbox.removeFirst()
            return (event, ids.compactMap { state.listeners[$0] })
        }
    }

    /// Tells all listeners that the owner is released.
    func end() {
        for listener in state.withLock({ $0.listeners.values }) { listener.end() }
    }
}

extension Listeners {
    /// Returns the listener of an object, which is held weakly.
    ///
    /// - Parameters:
    ///   - object: The object.
    ///   - id: The listener's ID.
    ///   - call: Calls the object's methods, on the main actor; the second argument returns whether the object still
    ///     listens, because each method may remove it.
    /// - Returns: The listener, to be added.
    func listener(
        for object: any AnyObject & Sendable,
        as id: ID,
        call: @escaping @MainActor @Sendable (Event, () -> Bool) -> Void
    ) -> Listener {
        Listener(
            object: ObjectIdentifier(object),
            isAlive: { [weak object] in object != nil },
            receive: { [weak self] event in
                onMain { call(event) { self?.contains(id) == true } }
            }
        )
    }

    /// Returns a stream of events, which listens until its reader stops, an event is the last, or the owner is released.
    ///
    /// A slow reader loses the oldest of more than 256 events.
    ///
    /// - Parameters:
    ///   - element: Returns the stream's element for an event, and whether it is the last.
    ///   - add: Adds the stream's listener.
    ///   - remove: Removes it.
    /// - Returns: The stream.
    func stream<Element>(
        _ element: @escaping @Sendable (Event) -> (Element, isLast: Bool),
        add: (Listener, ID) -> Void,
        remove: @escaping @Sendable (ID) -> Void
    ) -> AsyncStream<Element> {
        AsyncStream(bufferingPolicy: .bufferingNewest(256)) { continuation in
            let id = nextID()
            // Before it listens: the first event may be the last.
            continuation.onTermination = { _ in remove(id) }
            let listener = Listener(
                receive: { event in
                    let (element, isLast) = element(event)
                    continuation.yield(element)
                    if isLast { continuation.finish() }
                },
                end: { continuation.finish() }
            )
            add(listener, id)
        }
    }
}

/// Runs a function on the main actor, after those that were passed before.
private func onMain(_ function: @escaping @MainActor @Sendable () -> Void) {
    DispatchQueue.main.async { MainActor.assumeIsolated(function) }
}
