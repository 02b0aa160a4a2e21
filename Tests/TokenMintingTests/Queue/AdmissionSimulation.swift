import TestRandomness

@testable import TokenMinting

/// An ``AdmissionQueue`` before signers that always take the same time, on a simulated clock.
struct AdmissionSimulation {
    /// A request: when it comes, whose it is, and when its client goes if it still waits.
    struct Request {
        var arrival: Int64
        let caller: String
        var patience: Int64 = .max
        var attempt = 1

        /// Creates a request that comes after some milliseconds.
        init(atMilliseconds time: Double, of caller: String) {
            arrival = Int64(time * 1e6)
            self.caller = caller
        }

        /// Returns the same request as its client sends it again.
        func again(at now: Int64, _ refusal: AdmissionRefusal) -> Self {
            var request = self
            request.arrival = now + Int64(refusal.retryAfter) * 1_000_000_000
            request.attempt += 1
            return request
        }
    }

    /// What became of a request.
    enum Outcome: Equatable {
        /// It has its signature, so many nanoseconds after it came.
        case served(after: Int64)
        case refused(AdmissionRefusal)
        case abandoned

        var delay: Int64? { if case .served(let delay) = self { delay } else { nil } }
        var refusal: AdmissionRefusal? { if case .refused(let refusal) = self { refusal } else { nil } }
    }

    /// What happened to each request, in the order in which they came.
    private(set) var outcomes: [[Outcome]] = []
    /// When the last signature was made.
    private(set) var end: Int64 = 0
    private var queue: AdmissionQueue
    private let limits: AdmissionLimits
    private let duration: Int64
    private var random: SeededGenerator
    private var begun: [(end: Int64, index: Int, delay: Int64)] = []
    /// The requests that came, in this order.
    private(set) var requests: [Request] = []
    /// When clients go, the first one last.
    private var departures: [(at: Int64, index: Int)] = []

    /// Creates a simulation.
    ///
    /// - Parameters:
    ///   - limits: The bounds.
    ///   - parallel: The number of signers.
    ///   - duration: How long a signature takes, in nanoseconds.
    ///   - assumed: How long it is assumed to take at first, in nanoseconds; nil for the same.
    ///   - sharesSlots: Whether a caller may hold only as many of the slots as are free.
    ///   - seed: For the jitter.
    init(
        limits: AdmissionLimits = AdmissionLimits(),
        parallel: Int = 1,
        duration: Int64 = 220_000,
        assumed: Int64? = nil,
        sharesSlots: Bool = false,
        seed: UInt64 = 1
    ) {
        self.limits = limits
        self.duration = duration
        random = SeededGenerator(seed: seed)
        queue = AdmissionQueue(
            parallel: parallel,
            interval: (assumed ?? duration) / Int64(parallel),
            sharesSlots: sharesSlots,
            now: 0
        )
    }

    /// Lets requests come, in the order of their arrival, and returns what became of them.
    ///
    /// - Parameters:
    ///   - requests: The requests.
    ///   - retrying: Whether clients that are refused send their request again as they are told.
    /// - Returns: What became of each request, in the order of their arrival.
    mutating func run(_ requests: [Request], retrying: Bool = false) -> [Outcome] {
        var pending = requests.sorted { $0.arrival > $1.arrival }
        while let request = pending.popLast() {
            let now = request.arrival
            while let departure = departures.last, departure.at <= now { leave() }
            finish(until: now)
            let index = self.requests.count
            self.requests.append(request)
            outcomes.append([])
            if request.patience < .max {
                let at = now + request.patience
                departures.insert((at, index), at: departures.firstIndex { $0.at < at } ?? departures.count)
            }
            let jitter = Double.random(in: 0...1, using: &random)
            for refused in queue.refusals(Int64(index), of: request.caller, within: limits, now: now, random: jitter) {
                outcomes[Int(refused.id)].append(.refused(refused.refusal))
                if retrying {
                    let retry = self.requests[Int(refused.id)].again(at: now, refused.refusal)
                    pending.insert(retry, at: pending.firstIndex { $0.arrival < retry.arrival } ?? pending.count)
                }
            }
            begin(at: now)
        }
        while !departures.isEmpty { leave() }
        finish(until: .max)
        return outcomes.map { $0.first ?? .abandoned }
    }

    /// Lets the next client whose patience ends go.
    private mutating func leave() {
        let departure = departures.removeLast()
        finish(until: departure.at)
        let caller = requests[departure.index].caller
        guard queue.remove(Int64(departure.index), of: caller, now: departure.at) != nil else { return }
        outcomes[departure.index].append(.abandoned)
    }

    private mutating func begin(at now: Int64) {
        while let taken = queue.take(now: now) {
            begun.append((now + duration, Int(taken.request.id), taken.delay))
        }
    }

    private mutating func finish(until now: Int64) {
        while let position = begun.indices.min(by: { begun[$0].end < begun[$1].end }), begun[position].end <= now {
            let (end, index, delay) = begun.remove(at: position)
            outcomes[index].append(.served(after: delay + duration))
            self.end = end
            queue.finish(requests[index].caller)
            begin(at: end)
        }
    }
}

extension AdmissionQueue {
    /// Adds a request that is told by its ID, and returns the first that is refused.
    mutating func add(
        _ id: Int64,
        of caller: String?,
        within limits: AdmissionLimits = AdmissionLimits(),
        now: Int64,
        random: Double
    ) -> (id: Int64, refusal: AdmissionRefusal)? {
        refusals(id, of: caller, within: limits, now: now, random: random).first
    }

    /// Adds a request that is told by its ID, and returns those that are refused.
    mutating func refusals(
        _ id: Int64,
        of caller: String?,
        within limits: AdmissionLimits,
        now: Int64,
        random: Double
    ) -> [(id: Int64, refusal: AdmissionRefusal)] {
        add(Request(id: id, arrival: now) { _ in }, of: caller, within: limits) { random }
            .map { ($0.request.id, $0.refusal) }
    }
}

extension [Int64] {
    /// The percentile, in milliseconds.
    func milliseconds(percentile: Double) -> Double {
        let sorted = sorted()
        return Double(sorted[Swift.min(sorted.count - 1, Int(Double(sorted.count) * percentile / 100))]) / 1e6
    }
}
