import Synchronization

/// How long a thread takes for a signature while many wait, as measured: what may wait follows from it.
package final class SigningPace: Sendable {
    /// On an x86-64 core at 3 GHz, as long as nothing is measured.
    package static let usual: Int64 = 250_000

    private let single = Atomic<Int64>(0)
    private let current = Atomic<Int64>(0)

    /// Creates a pace that is not measured yet.
    package init() {}

    /// Sets the measured times in nanoseconds: a signature alone, and one of many.
    package func set(alone: Int64, amongMany: Int64) {
        single.store(max(1, alone), ordering: .relaxed)
        current.store(max(1, amongMany), ordering: .relaxed)
    }

    /// How long a thread takes for one of many signatures, in nanoseconds.
    package var nanoseconds: Int64 {
        let measured = current.load(ordering: .relaxed)
        return measured == 0 ? Self.usual : measured
    }

    /// How many signatures are made in the time of one alone.
    package var speedup: Double {
        let single = single.load(ordering: .relaxed)
        return single == 0 ? 1 : max(1, Double(single) / Double(nanoseconds))
    }
}
