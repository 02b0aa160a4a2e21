import Synchronization

/// The faults that the control plane has set, and the random numbers that select requests: the same seed and the same
/// requests give the same faults.
final class FaultPlan: Sendable {
    private struct State {
        var faults: [Fault] = []
        /// How many requests matched each fault, and how many it was injected into.
        var matched: [Int] = []
        var injected: [Int] = []
        var generator = SplitMix64(seed: 1)
        /// The vehicles that have had their first update refused.
        var updated: Set<String> = []
        /// The first response about each resource since the faults were set, while there is a fault that repeats it.
        var responses: [String: Message] = [:]
    }

    /// How many resources are kept in mind.
    private static let maximumResources = 1000

    private let state = Mutex(State())
    /// The faults of the options.
    private let initial: [Fault]

    /// Creates a plan with the faults of the options.
    init(_ initial: [Fault] = []) {
        self.initial = initial
        reset()
    }

    /// Restores the faults of the options.
    func reset() {
        set(initial, seed: 1)
    }

    /// Replaces all faults, and starts the random numbers anew.
    func set(_ faults: [Fault], seed: UInt64) {
        state.withLock { state in
            state = State()
            state.faults = faults
            state.matched = faults.map { _ in 0 }
            state.injected = state.matched
            state.generator = SplitMix64(seed: seed)
        }
    }

    /// The faults, with how often each matched and was injected.
    var contents: [(fault: Fault, matched: Int, injected: Int)] {
        state.withLock { state in
            state.faults.indices.map { (state.faults[$0], state.matched[$0], state.injected[$0]) }
        }
    }

    /// Selects the faults of a request.
    func draw(_ method: Method, _ name: String) -> FaultDraw {
        var draw = FaultDraw()
        state.withLock { state in
            for (index, fault) in state.faults.enumerated() where fault.matches(method, name) {
                state.matched[index] += 1
                guard state.matched[index] > fault.after, state.injected[index] < fault.times ?? .max,
                    fault.probability >= 1 || state.generator.fraction() < fault.probability
                else { continue }
                if case .emptyMask = fault.effect {
                    guard method.isUpdate, state.updated.count < Self.maximumResources,
                        state.updated.insert(name).inserted
                    else { continue }
                }
                state.injected[index] += 1
                draw.add(fault, fraction: state.generator.fraction())
            }
        }
        return draw
    }

    /// Returns the first response about a resource, which this one is if there was none before.
    func firstResponse(_ response: Message, _ method: Method, of name: String) -> Message {
        state.withLock { state in
            let key = "\(method.name) \(name)"
            let first = state.responses[key]
            if first == nil, state.responses.count < Self.maximumResources { state.responses[key] = response }
            return first ?? response
        }
    }
}

/// A small generator of random numbers (Steele, Lea and Flood, 2014).
struct SplitMix64: RandomNumberGenerator {
    private var state: UInt64

    /// Creates a generator; the same seed gives the same numbers.
    init(seed: UInt64) {
        state = seed
    }

    /// Returns the next number.
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    /// Returns a number from 0 up to 1.
    mutating func fraction() -> Double {
        Double(next() >> 11) / Double(1 << 53)
    }
}
