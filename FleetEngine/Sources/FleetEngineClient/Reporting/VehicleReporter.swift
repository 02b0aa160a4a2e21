/// Reports a vehicle to Fleet Engine, as the Driver SDK's vehicle reporters do.
///
/// ```swift
/// let reporter = engine.vehicleReporter(for: vehicleID) {
///     // Where the device is, and where its navigation leads.
///     VehicleUpdate(location: VehicleLocation(location: LatLng(latitude: 25.0478, longitude: 121.517)))
/// }
/// await reporter.startTracking()
/// await reporter.updateVehicleState(.online)
/// ```
///
/// While location tracking is on, an update is sent an interval after the end of the last: the location, the remaining time and
/// distance while the vehicle navigates, and what else has changed. After a failure the next update has the newest data. One
/// request is under way at a time.
///
/// An on-demand vehicle is offline until ``updateVehicleState(_:)``. When location tracking is turned off, one more update
/// reports it as offline; the request is tried again after server and network errors, at most four times.
public actor VehicleReporter {
    typealias Source = @Sendable () -> VehicleUpdate?

    /// The vehicle's ID.
    public nonisolated let vehicleID: String
    /// The outcomes of updates, for one listener; the stream ends with the reporter.
    ///
    /// A slow listener loses the oldest of more than 256 events.
    public nonisolated let events: AsyncStream<VehicleReporterEvent>
    /// Whether location tracking is on: false until ``startTracking()``.
    public private(set) var isTracking = false
    /// Whether an on-demand vehicle is, or will be, reported as online.
    public private(set) var vehicleState = VehicleState.offline
    /// The number of updates so far.
    public private(set) var statistics = VehicleReporterStatistics()

    private let format: ReportFormat
    private let client: EngineClient
    private let interval: Seconds
    private let source: Source
    private let listener: AsyncStream<VehicleReporterEvent>.Continuation
    private var reporting: Task<Void, Never>?
    /// The pause under way; a change of the state does not end one that Fleet Engine has asked for.
    private var pause: (task: Task<Void, Never>, isAsked: Bool)?
    /// The calls of ``stopTracking()`` that wait.
    private var stops: [CheckedContinuation<Void, Never>] = []
    private var acknowledged = VehicleUpdate(location: nil)

    init(
        _ format: ReportFormat,
        vehicle: String,
        client: EngineClient,
        interval: Seconds,
        source: @escaping Source
    ) {
        self.format = format
        vehicleID = vehicle
        self.client = client
        self.interval = interval.bounded(by: 5...60)
        self.source = source
        (events, listener) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(256))
    }

    deinit {
        listener.finish()
    }

    /// Turns location tracking on: the first update is sent at once.
    ///
    /// Updates are sent until ``stopTracking()``, also if nothing else has a reference to the reporter.
    public func startTracking() {
        guard !isTracking else { return }
        isTracking = true
        pause?.task.cancel()
        if reporting == nil { reporting = Task { await report() } }
    }

    /// Turns location tracking off, and waits for the first attempt to report the vehicle as offline.
    ///
    /// Further attempts are made after it returns. If tracking is turned on again before the first, it waits until tracking
    /// is off.
    public func stopTracking() async {
        guard isTracking || !stops.isEmpty else { return }
        if isTracking {
            isTracking = false
            vehicleState = .offline
            pause?.task.cancel()
        }
        await withCheckedContinuation { stops.append($0) }
    }

    /// Reports an on-demand vehicle as online or offline, now and with the further updates.
    ///
    /// A pause that Fleet Engine asks for is not ended: then the state is sent with the next update.
    ///
    /// While location tracking is off, no update is sent: the state is kept, and reported when location tracking is turned
    /// on. Turning it off sets the state to offline. A delivery vehicle has no state: the method has no effect.
    public func updateVehicleState(_ state: VehicleState) {
        guard format == .onDemand, state != vehicleState else { return }
        vehicleState = state
        if isTracking, let pause, !pause.isAsked { pause.task.cancel() }
    }

    private func report() async {
        repeat {
            while isTracking {
                let reported = vehicleState
                let error = await update()
                let isAsked = error?.retryAfter != nil
                // A state that changed during the request is sent without a pause.
                guard isTracking, isAsked || vehicleState == reported else { continue }
                await wait(max(interval, error?.retryAfter ?? 0), isAsked: isAsked)
            }
            await reportOffline()
        } while isTracking
        reporting = nil
    }

    private func update() async -> FleetEngineError? {
        var update = source() ?? VehicleUpdate(location: nil)
        update.vehicleState = format == .onDemand ? vehicleState : nil
        // A faulty sensor's coordinates would put the vehicle elsewhere.
        if update.location?.location.isValid == false { update.location = nil }
        return await send(update, format.fields(of: update, acknowledged: acknowledged))
    }

    private func reportOffline() async {
        guard format == .onDemand else { return endStops() }
        var update = VehicleUpdate(location: nil)
        update.vehicleState = .offline
        for attempt in 1...Backoff.maximumAttempts {
            let error = await send(update, [.vehicleState])
            endStops()
            guard let error, !error.needsAction, attempt < Backoff.maximumAttempts, !isTracking else { return }
            await wait(max(Backoff.pause(attempt, random: client.configuration.random()), error.retryAfter ?? 0))
            if isTracking { return }
        }
    }

    private func endStops() {
        for stop in stops { stop.resume() }
        stops = []
    }

    /// Sends an update, and reports its outcome.
    private func send(_ update: VehicleUpdate, _ fields: [ReportField]) async -> FleetEngineError? {
        do throws(FleetEngineError) {
            guard !fields.isEmpty else { throw FleetEngineError.emptyMask }
            _ = try await client.send(format.request(update, fields, vehicle: vehicleID))
            acknowledged.replace(fields, by: update)
            statistics.succeededUpdates += 1
            listener.yield(.succeeded(update))
            return nil
        } catch {
            if error.isEmptyMask { statistics.emptyMaskUpdates += 1 } else { statistics.failedUpdates += 1 }
            listener.yield(.failed(update, error))
            return error
        }
    }

    private func wait(_ seconds: Seconds, isAsked: Bool = false) async {
        let task = Task { [sleep = client.configuration.sleep] in _ = try? await sleep(seconds) }
        pause = (task, isAsked)
        await task.value
        pause = nil
    }
}
