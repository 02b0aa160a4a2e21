/// The state machine of reporting: when the vehicle is sampled, what is sent, and what is counted.
///
/// It has no clock, tasks or locks. The owner reports inputs with ``handle(_:random:)`` and carries out the effects.
///
/// - At most one request is under way. An update that becomes due meanwhile follows it, with the newest data.
/// - A failure changes nothing but the counters: the next update has all that is not acknowledged.
/// - When reporting stops, an on-demand vehicle is reported as offline, once; only that is tried again.
struct ReporterState: Sendable {
    enum Input: Sendable {
        case enable
        case disable
        case setInterval(Seconds)
        case setVehicleState(VehicleState)
        /// A timer has ended.
        case wake(UInt64)
        /// The source's response to ``Effect/sample(_:)``.
        case sampled(UInt64, VehicleUpdate?)
        /// A request has ended.
        case answer(UInt64, FleetEngineError?)
    }

    enum Effect: Sendable {
        case sample(UInt64)
        case send(UInt64, VehicleUpdate, [ReportField])
        /// Wake up after a pause; an earlier timer is obsolete.
        case wait(UInt64, Seconds)
        /// End the timer.
        case cancelTimer
        case report(VehicleReporterEvent)
    }

    private enum Phase: Sendable {
        case idle
        case sampling
        case sending(VehicleUpdate, [ReportField])
    }

    private let format: ReportFormat
    private(set) var isEnabled = false
    private(set) var interval: Seconds = 10
    private(set) var vehicleState: VehicleState?
    private(set) var statistics = VehicleReporterStatistics()
    private var phase = Phase.idle
    private var request: UInt64 = 0
    private var timer: UInt64 = 0
    private var isDue = false
    /// The number of attempts to report the vehicle as offline; nil if that is not needed.
    private var offlineAttempts: Int?
    private var acknowledged: VehicleUpdate?

    init(_ format: ReportFormat) {
        self.format = format
        vehicleState = format == .onDemand ? .offline : nil
    }

    mutating func handle(_ input: Input, random: Double) -> [Effect] {
        switch input {
        case .enable where !isEnabled:
            isEnabled = true
            offlineAttempts = nil
            return tick()
        case .disable where isEnabled: return disable()
        case .enable, .disable: return []
        case .setInterval(let seconds):
            // Google's bounds. Not-a-number is not in a range.
            interval = (5...60).contains(seconds) ? seconds : seconds > 60 ? 60 : 5
            return []
        case .setVehicleState(let state):
            guard format == .onDemand, state != vehicleState else { return [] }
            vehicleState = state
            return isEnabled ? tick() : []
        case .wake(let number):
            guard number == timer else { return [] }
            return isEnabled ? tick() : sendOffline()
        case .sampled(let number, let update):
            guard number == request, case .sampling = phase else { return [] }
            return sampled(update)
        case .answer(let number, let error):
            guard number == request, case .sending(let update, let fields) = phase else { return [] }
            return finish(update, fields: fields, error: error, random: random)
        }
    }

    private mutating func disable() -> [Effect] {
        isEnabled = false
        isDue = false
        timer += 1
        guard format == .onDemand else { return [.cancelTimer] }
        vehicleState = .offline
        offlineAttempts = 0
        return [.cancelTimer] + sendOffline()
    }

    /// Sets the timer for the next update, and begins one unless a request is under way.
    private mutating func tick() -> [Effect] {
        timer += 1
        let wait = Effect.wait(timer, interval)
        guard case .idle = phase else {
            isDue = true
            return [wait]
        }
        return [wait, sample()]
    }

    private mutating func sample() -> Effect {
        isDue = false
        phase = .sampling
        request += 1
        return .sample(request)
    }

    private mutating func sampled(_ sample: VehicleUpdate?) -> [Effect] {
        phase = .idle
        guard isEnabled else { return sendOffline() }
        var update = sample ?? VehicleUpdate(location: nil)
        update.vehicleState = vehicleState
        // A faulty sensor's coordinates would put the vehicle elsewhere.
        if update.location?.location.isValid == false { update.location = nil }
        let fields = format.fields(of: update, acknowledged: acknowledged)
        guard !fields.isEmpty else { return failed(update, .emptyMask) }
        return [send(update, fields)]
    }

    private mutating func send(_ update: VehicleUpdate, _ fields: [ReportField]) -> Effect {
        phase = .sending(update, fields)
        request += 1
        return .send(request, update, fields)
    }

    private mutating func sendOffline() -> [Effect] {
        guard offlineAttempts != nil, case .idle = phase else { return [] }
        offlineAttempts? += 1
        var update = VehicleUpdate(location: nil)
        update.vehicleState = .offline
        return [send(update, [.vehicleState])]
    }

    private mutating func finish(
        _ update: VehicleUpdate,
        fields: [ReportField],
        error: FleetEngineError?,
        random: Double
    ) -> [Effect] {
        phase = .idle
        var effects: [Effect] = []
        if let error {
            effects = failed(update, error)
            if isEnabled, let pause = error.retryAfter, pause > interval {
                timer += 1
                isDue = false
                effects.append(.wait(timer, pause))
            }
        } else {
            statistics.succeededUpdates += 1
            acknowledge(update, fields)
            effects = [.report(.succeeded(update))]
        }
        if isEnabled { return effects + (isDue ? [sample()] : []) }
        return effects + continueOffline(error, wasOffline: fields == [.vehicleState], random: random)
    }

    /// Decides, after a request that ended while reporting is off, whether another one follows.
    private mutating func continueOffline(
        _ error: FleetEngineError?,
        wasOffline: Bool,
        random: Double
    ) -> [Effect] {
        guard let attempts = offlineAttempts else { return [] }
        guard attempts > 0 else { return sendOffline() }
        guard wasOffline, let error, !error.needsAction, attempts < Backoff.maximumAttempts else {
            offlineAttempts = nil
            return []
        }
        timer += 1
        return [.wait(timer, max(Backoff.pause(attempts, random), error.retryAfter ?? 0))]
    }

    private mutating func acknowledge(_ update: VehicleUpdate, _ fields: [ReportField]) {
        var known = acknowledged ?? VehicleUpdate(location: nil)
        for field in fields {
            switch field {
            case .vehicleState: known.vehicleState = update.vehicleState
            case .lastLocation: known.location = update.location
            case .remainingTimeSeconds, .remainingDuration: known.remainingTime = update.remainingTime
            case .remainingDistanceMeters: known.remainingDistance = update.remainingDistance
            case .currentRouteSegment: known.route = update.route
            case .currentRouteSegmentEndPoint: known.destinationWaypoint = update.destinationWaypoint
            case .navigationStatus: known.navigationStatus = update.navigationStatus
            }
        }
        acknowledged = known
    }

    private mutating func failed(_ update: VehicleUpdate, _ error: FleetEngineError) -> [Effect] {
        if error.isEmptyMask { statistics.emptyMaskUpdates += 1 } else { statistics.failedUpdates += 1 }
        return [.report(.failed(update, error))]
    }
}
