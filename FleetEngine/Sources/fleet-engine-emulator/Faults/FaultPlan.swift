import Synchronization

/// The faults that the control plane has set, and the random numbers that select requests: the same seed and the same
/// requests give the same faults.
final class FaultPlan: Sendable {
    private struct State {
        var faults: [Fault] = []
        /// How many requests each fault was injected into.
        var injected: [Int] = []
        var generator = SplitMix64(seed: 1)
        /// The resources that have had their first update refused.
        var updated: Set<String> = []
    }

    /// How many resources are kept in mind.
    private static let maximumResources = 1000

    private let state = Mutex(State())
    /// The faults of the options.
    private let initial: [Fault]

    /// Creates a plan with the faults of the options.
    init(_ initial: [Fault]) {
        self.initial = initial
        reset()
    }

    /// Restores the faults of the options.
    func reset() {
        set(initial, seed: 1)
    }

    /// Replaces all faults, and starts the random numbers anew.
    func set(_ faults: [Fault], seed: UInt64) {
        state.withLock {
            $0 = State(faults: faults, injected: faults.map { _ in 0 }, generator: SplitMix64(seed: seed))
        }
    }

    /// Selects the faults of a request.
    func draw(_ method: Method, _ name: String) -> FaultDraw {
        var draw = FaultDraw()
        state.withLock { state in
            for (index, fault) in state.faults.enumerated() where fault.matches(method, name) {
                guard state.injected[index] < fault.times ?? .max,
                    fault.probability >= 1 || state.generator.fraction() < fault.probability
                else { continue }
                if case .emptyMask = fault.effect {
                    guard method.rawValue.hasPrefix("Update"), state.updated.count < Self.maximumResources,
                        state.updated.insert(name).inserted
                    else { continue }
                }
                state.injected[index] += 1
                draw.add(fault, fraction: state.generator.fraction())
            }
        }
        return draw
    }
}

/// A small generator of random numbers (Steele, Lea and Flood, 2014).
private struct SplitMix64 {
    private var state: UInt64

    /// Creates a generator; the same seed gives the same numbers.
    init(seed: UInt64) {
        state = seed
    }

    /// Returns a number from 0 up to 1.
    mutating func fraction() -> Double {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return Double((z ^ (z >> 31)) >> 11) / Double(1 << 53)
    }
}
