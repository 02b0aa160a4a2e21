#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// A state that only one thread at a time can touch.
///
/// `Synchronization.Mutex` needs iOS 18, and ThreadSanitizer doesn't understand it on Linux. It does understand both of
/// the locks used here.
//
// Why this is Sendable: both pointers are set once and freed in `deinit`, when nobody else holds a reference. `state`
// is read and written by `withLock` alone, between `lock` and `unlock`, so never by two threads at once. And as it is
// `Sendable` itself, whatever goes into it or comes out of it may go from one thread to another.
@usableFromInline
package final class Lock<State: Sendable>: @unchecked Sendable {
    #if canImport(Darwin)
    private typealias Primitive = os_unfair_lock
    #else
    private typealias Primitive = pthread_mutex_t
    #endif

    // Both live on the heap: a lock's address must not change, and a pointer spares `withLock` the check for exclusive
    // access, which the lock guarantees anyway.
    private let primitive: UnsafeMutablePointer<Primitive>
    @usableFromInline
    let state: UnsafeMutablePointer<State>

    package init(_ initialState: State) {
        primitive = .allocate(capacity: 1)
        primitive.initialize(to: Primitive())
        #if !canImport(Darwin)
        // Fails only for attributes that the system doesn't know; there are none here.
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

    /// Runs `body` with the state, alone.
    ///
    /// What runs in it must be short and must be our own: no callback, no resumption, no cancellation of a task.
    @inlinable
    package func withLock<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
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
