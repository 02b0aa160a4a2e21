#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// A lock that protects a state from concurrent access.
///
/// `Synchronization.Mutex` needs iOS 18, and ThreadSanitizer doesn't understand it on Linux. It understands both of the
/// locks used here.
public final class Lock<State: Sendable>: @unchecked Sendable {
    // Proof of Sendable: both pointers are set once and freed in `deinit`, when no other reference exists. `state` is read
    // and written only by `withLock`, between `lock` and `unlock`, so never by two threads at once. Because the state is
    // `Sendable` itself, values may move into and out of it between threads.

    #if canImport(Darwin)
    private typealias Primitive = os_unfair_lock
    #else
    private typealias Primitive = pthread_mutex_t
    #endif

    // Both are on the heap: a lock's address must not change, and a pointer spares `withLock` the check for exclusive
    // access, which the lock guarantees anyway.
    private let primitive: UnsafeMutablePointer<Primitive>
    @usableFromInline
    let state: UnsafeMutablePointer<State>

    /// Creates a lock around a state.
    public init(_ initialState: State) {
        primitive = .allocate(capacity: 1)
        primitive.initialize(to: Primitive())
        #if !canImport(Darwin)
        // Fails only for attributes that the system doesn't know; none are passed.
        pthread_mutex_init(primitive, nil)
        #endif
        state = .allocate(capacity: 1)
        state.initialize(to: initialState)
    }

    deinit {
        #if !canImport(Darwin)
        pthread_mutex_destroy(primitive)
        #endif
        primitive.deinitialize(count: 1)
        primitive.deallocate()
        state.deinitialize(count: 1)
        state.deallocate()
    }

    /// Runs `body` with exclusive access to the state.
    ///
    /// The body must be short and must not call foreign code: no callback, no resumption, no cancellation of a task.
    @inlinable
    public func withLock<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
        lock()
        defer { unlock() }
        return try body(&state.pointee)
    }

    @usableFromInline
    func lock() {
        #if canImport(Darwin)
        os_unfair_lock_lock(primitive)
        #else
        pthread_mutex_lock(primitive)
        #endif
    }

    @usableFromInline
    func unlock() {
        #if canImport(Darwin)
        os_unfair_lock_unlock(primitive)
        #else
        pthread_mutex_unlock(primitive)
        #endif
    }
}
