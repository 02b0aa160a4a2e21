import EngineCoding
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The emulator's clock: the system clock plus an offset that tests set.
final class EmulatorClock: Sendable {
    /// The maximum offset, in seconds.
    private static let maximumOffset = 1e9

    private let offset = Mutex(0.0)

    /// The time.
    var now: Timestamp {
        Timestamp(secondsSince1970: Date.now.timeIntervalSince1970).adding(offset.withLock { $0 })
    }

    /// Moves the clock ahead, or back.
    ///
    /// - Returns: False, and nothing changes, if the offset would be too large.
    func advance(by seconds: Double) -> Bool {
        offset.withLock { offset in
            guard abs(offset + seconds) <= Self.maximumOffset else { return false }
            offset += seconds
            return true
        }
    }

    /// Removes the offset.
    func reset() {
        offset.withLock { $0 = 0 }
    }
}
