import EngineCoding
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The emulator's clock, which the control plane may set ahead, back, or stop.
final class EmulatorClock: Sendable {
    private struct State {
        /// Added to the wall clock, in nanoseconds.
        var offset: Int64 = 0
        /// Where it stands still; nil while it runs.
        var frozen: Int64?
    }

    /// How far from the wall clock it may be moved, in nanoseconds.
    private static let maximumOffset: Int64 = 1_000_000_000_000_000_000

    private let state = Mutex(State())

    /// The wall clock, in nanoseconds since 1970.
    private static var wall: Int64 { Int64(Date.now.timeIntervalSince1970 * 1e9) }

    /// The time.
    var now: Timestamp {
        let wall = Self.wall
        let now = state.withLock { $0.frozen ?? wall + $0.offset }
        return Timestamp(seconds: 0, nanoseconds: now)
    }

    /// Whether it stands still, and how far it is from the wall clock, in seconds.
    var reading: (isFrozen: Bool, offset: Double) {
        let (wall, now) = (Self.wall, Int64(now.secondsSince1970 * 1e9))
        return (state.withLock { $0.frozen != nil }, Double(now - wall) / 1e9)
    }

    /// Sets the distance from the wall clock, in seconds, and whether it stands still from now on.
    func set(offset: Double, isFrozen: Bool) {
        let wall = Self.wall
        let offset = Int64(offset * 1e9)
        state.withLock { $0 = State(offset: offset, frozen: isFrozen ? wall + offset : nil) }
    }

    /// Moves it ahead, running or not.
    ///
    /// - Returns: False, and nothing changes, if it would be too far from the wall clock.
    func advance(by seconds: Double) -> Bool {
        let nanoseconds = Int64(seconds * 1e9)
        return state.withLock { state in
            let offset = state.offset + nanoseconds
            guard abs(offset) <= Self.maximumOffset else { return false }
            state.offset = offset
            state.frozen = state.frozen.map { $0 + nanoseconds }
            return true
        }
    }
}
