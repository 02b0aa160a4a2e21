import EngineCoding
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The emulator's clock: the system's, moved as tests say.
final class EmulatorClock: Sendable {
    /// How far from the system's clock it may be, in seconds.
    private static let maximumOffset = 1e9

    private let offset = Mutex(0.0)

    /// The time.
    var now: Timestamp {
        Timestamp(secondsSince1970: Date.now.timeIntervalSince1970).adding(offset.withLock { $0 })
    }

    /// Moves it ahead, or back.
    ///
    /// - Returns: False, and nothing changes, if it would be too far from the system's clock.
    func advance(by seconds: Double) -> Bool {
        offset.withLock { offset in
            guard abs(offset + seconds) <= Self.maximumOffset else { return false }
            offset += seconds
            return true
        }
    }

    /// Sets it to the system's clock.
    func reset() {
        offset.withLock { $0 = 0 }
    }
}
