import Synchronization

/// The faults that are injected now, and which requests they are due for: the same requests have the same faults.
final class FaultPlan: Sendable {
    /// A fault, and the requests that it has met.
    private struct Count {
        let fault: Fault
        var matched = 0
        var injected = 0

        /// Counts a request to a method, and returns whether the fault is injected into it.
        mutating func isDue(for method: String) -> Bool {
            guard fault.methods.isEmpty || fault.methods.contains(method), injected < fault.times ?? .max else {
                return false
            }
            matched += 1
            guard matched.isMultiple(of: fault.every) else { return false }
            injected += 1
            return true
        }
    }

    private let counts = Mutex<[Count]>([])
    /// The faults of the options.
    private let initial: [Fault]

    /// Creates a plan with the faults of the options.
    init(_ initial: [Fault]) {
        self.initial = initial
        reset()
    }

    /// Restores the faults of the options.
    func reset() {
        set(initial)
    }

    /// Replaces all faults, and begins to count anew.
    func set(_ faults: [Fault]) {
        counts.withLock { $0 = faults.map { Count(fault: $0) } }
    }

    /// Returns the faults of a request to a method.
    func faults(for method: Method) -> InjectedFaults {
        counts.withLock { counts in
            var faults = InjectedFaults()
            for index in counts.indices where counts[index].isDue(for: method.name) {
                faults.add(counts[index].fault.effect)
            }
            return faults
        }
    }
}
