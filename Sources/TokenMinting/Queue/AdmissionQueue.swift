/// Requests that wait for a signature, or for a webhook: which may wait, and which is next.
///
/// A request may wait as long as the estimated time is within a bound, however many are before it: a thousand
/// requests that come at once are served. The bound is ``AdmissionLimits/burst`` if the queue was empty within
/// ``leastPatience``, or the time of ``burst`` requests where that is longer, and ``AdmissionLimits/lasting`` otherwise,
/// so that in a lasting overload tokens still come soon. (The rule is that of Facebook's "Fail at Scale", for times that
/// fit a token instead of a call in a data center.) What exceeds the bound is the newest request of the caller with most
/// requests, which need not be the one that arrives. A person's rate limit bounds how many those can be.
///
/// It is a state machine: time and randomness are passed in, and its owner, ``Admission``, ends the wait of the requests
/// that it returns.
///
/// ## How it works
///
/// ```
/// add ──► a slot is free: start            finish ──► the next caller's turn, its oldest request: start
///     └─► the queue is within its bound: wait
///     └─► it is not: refuse the newest request of the longest queue, with a reserved time to retry
/// ```
///
/// For example, with a bound of one second and a signature every 250 µs, a thousand requests that arrive at once wait up to
/// 250 ms each, and none is refused.
struct AdmissionQueue: Sendable {
    /// The least time for which a queue that is not empty is a burst, in nanoseconds.
    static var leastPatience: Int64 { 300_000_000 }
    /// The number of requests that make a burst on a slow signer.
    static var burst: Int64 { 1000 }
    /// The longest time after which a client is told to retry, in nanoseconds.
    static var maximumRetry: Int64 { 30_000_000_000 }

    typealias Request = FairQueue.Request

    /// The maximum number of requests that are served at once.
    let parallel: Int
    /// Whether a caller may hold only as many of the slots as are free: with half of them it leaves room for others.
    private let sharesSlots: Bool
    /// Whether the signer may hang while the service runs: then no request is taken, however fast it was before.
    private let mayHang: Bool
    private var queue = FairQueue()
    /// The number of requests in progress of each caller.
    private var serving: [String: Int] = [:]
    private var rate: ServiceRate
    /// When the queue was last empty.
    private var emptyAt: Int64
    /// When a request was last taken.
    private var takenAt: Int64
    /// When the clients that were told to retry will have been served.
    private var retriesEnd: Int64

    /// The number of requests in progress.
    private(set) var inProgress = 0
    /// The number of requests that wait.
    var count: Int { queue.count }
    /// The estimated time until all that wait are taken, in nanoseconds.
    var wait: Int64 { Int64(queue.count) * rate.interval }

    /// Creates an empty queue, for which `interval` nanoseconds from one request to the next are assumed, with all slots in use,
    /// until they are measured.
    init(parallel: Int, interval: Int64, sharesSlots: Bool = false, mayHang: Bool = true, now: Int64) {
        self.parallel = parallel
        self.mayHang = mayHang
        self.sharesSlots = sharesSlots
        rate = ServiceRate(interval: interval)
        (emptyAt, takenAt, retriesEnd) = (now, now, now)
    }
}

// MARK: - Events

extension AdmissionQueue {
    /// Adds a request that comes now: a caller's, or for nil the service's own, which is not refused.
    ///
    /// A random number from 0 to 1 spreads retries.
    ///
    /// - Returns: The requests that are refused, which need not include this one. Two for each that comes shorten a queue
    ///   that was a burst and is an overload now; one would only keep it from growing.
    mutating func add(
        _ request: Request,
        of caller: String?,
        within limits: AdmissionLimits,
        random: () -> Double
    ) -> [(request: Request, refusal: AdmissionRefusal)] {
        let now = request.arrival
        if queue.count == 0 { emptyAt = now }
        queue.append(request, of: caller ?? "")
        guard let caller, var cause = excess(limits, now) else { return [] }
        var refused: [(request: Request, refusal: AdmissionRefusal)] = []
        repeat {
            // The second one is never a caller's only request.
            guard let newest = queue.removeNewest(preferring: caller, ofAtLeast: refused.count + 1) else { break }
            refused.append((newest, AdmissionRefusal(cause, retryAfter: retryAfter(now: now, random: random()))))
            cause = .queueDelay
        } while refused.count < 2 && queue.count > parallel && wait > bound(limits, now)
        noteIfEmpty(now)
        return refused
    }

    /// Returns the next request and the nanoseconds that it has waited, if there is one and a slot is free.
    mutating func take(now: Int64) -> (request: Request, delay: Int64)? {
        guard inProgress < parallel else { return nil }
        let free = parallel - inProgress
        guard let (request, caller) = queue.popFirst(where: { sharesSlots ? serving[$0, default: 0] < free : true })
        else { return nil }
        inProgress += 1
        serving[caller, default: 0] += 1
        takenAt = now
        rate.take(at: now)
        noteIfEmpty(now)
        return (request, now - request.arrival)
    }

    /// Removes a request that waits, because its client has gone.
    ///
    /// - Returns: The request; nil if it is in progress, finished or refused.
    mutating func remove(_ id: Int64, of caller: String?, now: Int64) -> Request? {
        guard let request = queue.remove(id, of: caller ?? "") else { return nil }
        noteIfEmpty(now)
        return request
    }

    /// Frees the slot of a caller's request.
    mutating func finish(_ caller: String?) {
        let caller = caller ?? ""
        inProgress -= 1
        let left = serving[caller, default: 1] - 1
        serving[caller] = left > 0 ? left : nil
    }
}

// MARK: - Rules

extension AdmissionQueue {
    private mutating func noteIfEmpty(_ now: Int64) {
        guard queue.count == 0 else { return }
        emptyAt = now
        rate.pause()
    }

    /// Returns the bound that the queue exceeds.
    ///
    /// As many requests as there are slots may always wait, so that no slot is idle while requests come.
    private func excess(_ limits: AdmissionLimits, _ now: Int64) -> AdmissionRefusal.Cause? {
        if inProgress + queue.count > limits.count { return .queueSize }
        let stall = mayHang ? now - max(emptyAt, takenAt) : 0
        return max(wait, stall) > bound(limits, now) && queue.count > parallel ? .queueDelay : nil
    }

    /// Returns the maximum wait: that of a burst, or of a lasting overload.
    private func bound(_ limits: AdmissionLimits, _ now: Int64) -> Int64 {
        let patience = max(Self.leastPatience, Self.burst * rate.interval)
        return now - emptyAt < patience ? limits.burst : limits.lasting
    }

    /// Returns after how many seconds a refused client should retry.
    ///
    /// Each takes the time of one request, after those that wait and those that were refused before, so that clients
    /// that do as they are told come back no faster than they can be served. Jitter spreads those of one moment.
    private mutating func retryAfter(now: Int64, random: Double) -> Int {
        retriesEnd = min(max(retriesEnd, now + wait) + rate.interval, now + Self.maximumRetry)
        let seconds = Double(retriesEnd - now) / 1e9
        return Int((seconds + random * max(1, seconds / 2)).rounded(.up))
    }
}

/// The service's time for one of many requests, as measured while requests wait.
///
/// A pause of the machine must not look like a slow signer: time is measured over many requests, and each measurement
/// raises the estimate by half at most.
struct ServiceRate {
    /// The least time without a pause that is measured, in nanoseconds.
    static let leastTime: Int64 = 50_000_000
    /// The least number of requests that is measured.
    static let leastCount: Int64 = 16

    /// The nanoseconds from one request to the next.
    private(set) var interval: Int64
    private var time: Int64 = 0
    private var count: Int64 = 0
    /// When a request was last taken, if others have waited since.
    private var lastTaken: Int64?

    /// Creates a rate that is assumed until it is measured.
    init(interval: Int64) {
        self.interval = max(1, interval)
    }

    /// Measures the time since the last request, unless there was a pause.
    mutating func take(at now: Int64) {
        if let lastTaken {
            time += now - lastTaken
            count += 1
        }
        lastTaken = now
        guard time >= Self.leastTime, count >= Self.leastCount else { return }
        interval = max(1, (interval + min(time / count, 2 * interval)) / 2)
        (time, count) = (0, 0)
    }

    /// Forgets when the last request was taken, because no other waits any more.
    mutating func pause() { lastTaken = nil }
}
