import ExpiringCache
import TokenProvider

/// Reports a vehicle: ``ReporterState`` behind a lock, with its requests and timers.
final class Reporter: Sendable {
    typealias Source = @Sendable () -> VehicleUpdate?
    typealias Receive = @Sendable (VehicleReporterEvent) -> Void

    private struct Listener: Sendable {
        var object: ObjectIdentifier?
        var isAlive: @Sendable () -> Bool
        var receive: Receive
        /// Called when the reporter is released.
        var end: @Sendable () -> Void = {}
    }

    private struct Core: Sendable {
        var state: ReporterState
        var listeners: [UInt64: Listener] = [:]
        var lastID: UInt64 = 0
    }

    let vehicleID: ResourceID
    private let format: ReportFormat
    private let client: EngineClient
    private let source: Source
    private let core: Lock<Core>
    private let timer = CancellationSlot()

    init(_ format: ReportFormat, vehicle: ResourceID, client: EngineClient, source: @escaping Source) {
        self.format = format
        vehicleID = vehicle
        self.client = client
        self.source = source
        core = Lock(Core(state: ReporterState(format)))
    }

    deinit {
        for listener in core.withLock({ $0.listeners }).values { listener.end() }
    }

    var state: ReporterState { core.withLock { $0.state } }

    func handle(_ input: ReporterState.Input) {
        let random = client.environment.random()
        let (effects, listeners) = core.withLock { core in
            (core.state.handle(input, random: random), core.listeners.sorted { $0.key < $1.key }.map(\.value))
        }
        for effect in effects {
            switch effect {
            case .sample(let number): handle(.sampled(number, source()))
            case .send(let number, let update, let fields): send(number, update: update, fields: fields)
            case .wait(let number, let pause):
                let schedule = client.environment.scheduler.schedule
                timer.keep(number, schedule(pause) { [weak self] in self?.handle(.wake(number)) })
            case .cancelTimer(let number): timer.cancel(upTo: number)
            case .report(let event): for listener in listeners { listener.receive(event) }
            }
        }
    }

    private func send(_ number: UInt64, update: VehicleUpdate, fields: [ReportField]) {
        let request = format.request(update, fields, vehicle: vehicleID)
        // The last update of a vehicle may be sent after its reporter was released.
        Task { [client, self] in
            do throws(FleetEngineError) {
                _ = try await client.send(request)
                handle(.answer(number, nil))
            } catch {
                handle(.answer(number, error))
            }
        }
    }

    /// Adds a listener, which is held weakly, unless it listens already.
    func add(_ listener: any VehicleReporterListener, of reporter: some VehicleReporting) {
        _ = add { id in
            Listener(
                object: ObjectIdentifier(listener),
                isAlive: { [weak listener] in listener != nil },
                receive: { [weak self, weak reporter, weak listener] event in
                    onMain {
                        guard let self, let reporter, let listener, self.isListening(id) else { return }
                        switch event {
                        case .succeeded(let update): listener.vehicleReporter(reporter, didSucceed: update)
                        case .failed(let update, let error):
                            listener.vehicleReporter(reporter, didFail: update, withError: error)
                        }
                    }
                }
            )
        }
    }

    func remove(_ listener: any VehicleReporterListener) {
        let object = ObjectIdentifier(listener)
        core.withLock { core in core.listeners = core.listeners.filter { $0.value.object != object } }
    }

    private func isListening(_ id: UInt64) -> Bool { core.withLock { $0.listeners[id] != nil } }

    /// Returns a stream of events, which ends with the reporter.
    func stream() -> AsyncStream<VehicleReporterEvent> {
        AsyncStream(bufferingPolicy: .bufferingNewest(256)) { continuation in
            let id = add { _ in
                Listener(isAlive: { true }, receive: { continuation.yield($0) }, end: { continuation.finish() })
            }
            continuation.onTermination = { [weak self] _ in
                self?.core.withLock { core in if let id { core.listeners[id] = nil } }
            }
        }
    }

    private func add(_ listener: (UInt64) -> Listener) -> UInt64? {
        // An object that was released without being removed leaves its address to another one. They are asked outside the
        // lock: the question can release an object, whose `deinit` may remove it.
        let released = core.withLock { $0.listeners }.filter { !$0.value.isAlive() }.keys
        return core.withLock { core in
            for id in released { core.listeners[id] = nil }
            let listener = listener(core.lastID + 1)
            let isKnown = core.listeners.values.contains { $0.object != nil && $0.object == listener.object }
            guard !isKnown else { return nil }
            core.lastID += 1
            core.listeners[core.lastID] = listener
            return core.lastID
        }
    }
}
