import Foundation
import Testing

@testable import ExpiringCache

/// A race for ThreadSanitizer to report, in the place that its suppressions come closest to hiding: below a continuation.
///
/// `make test-threads` runs it and expects the report. Elsewhere it is left out, since it is wrong.
@Suite("A planted race", .enabled(if: ProcessInfo.processInfo.environment["FLEET_TOKEN_PLANTED_RACE"] != nil))
struct PlantedRaceTests {
    // Not Sendable at all: that is the fault.
    private final class Unguarded: @unchecked Sendable {
        var count = 0
    }

    @Test("A fetch that counts without a lock is a race")
    func fetchCountsWithoutALock() async {
        let unguarded = Unguarded()
        let cache = ExpiringCache<Int, Int>(configuration: .patient) { key, _ in
            try await withUnsafeThrowingContinuation { continuation in
                // Often, so that two threads are at it at once.
                for _ in 0..<1_000 { unguarded.count += 1 }
                continuation.resume(returning: Fetched(key, lifetime: 60))
            }
        }
        await withTaskGroup { group in
            for key in 0..<1_000 { group.addTask { _ = try? await cache.value(for: key) } }
        }
        #expect(unguarded.count > 0)
    }
}
