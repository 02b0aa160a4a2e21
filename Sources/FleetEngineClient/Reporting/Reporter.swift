import Timing
import TokenProvider

/// Reports a vehicle: ``ReporterState`` behind a lock, with its requests and timers.
final class Reporter: Sendable {
    typealias Source = @Sendable () -> VehicleUpdate?

    let vehicleID: ResourceID
    private let format: ReportFormat
    private let client: EngineClient
    private let source: Source
    private let machine: Lock<ReporterState>
    let listeners = Listeners<VehicleReporterEvent>()
    private let timer = CancellationSlot()

    init(_ format: ReportFormat, vehicle: ResourceID, client: EngineClient, source: @escaping Source) {
        self.format = format
        vehicleID = vehicle
        self.client = client
        self.source = source
        machine = Lock(ReporterState(format))
    }

    deinit {
        // Before the streams end, so that no timer is left when a reader sees the end.
        timer.cancel(upTo: .max)
        listeners.end()
    }

    var state: ReporterState { machine.withLock { $0 } }

    func handle(_ input: ReporterState.Input) {
        let random = client.environment.random()
        let effects = machine.withLock { machine in
            let effects = machine.handle(input, random: random)
            for case .report(let event) in effects { listeners.post(event) }
            return effects
        }
        for effect in effects {
            switch effect {
            case .sample(let number): handle(.sampled(number, source()))
            case .send(let number, let update, let fields): send(number, update: update, fields: fields)
            case .wait(let number, let pause):
                let schedule = client.environment.scheduler.schedule
                timer.keep(number, schedule(pause) { [weak self] in self?.handle(.wake(number)) })
            case .cancelTimer(let number): timer.cancel(upTo: number)
            case .report: break
            }
        }
        listeners.deliver()
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
        for id in listeners.released() { listeners.remove(id) }
        let id = listeners.nextID()
        let added = listeners.listener(for: listener, as: id) { [weak reporter, weak listener] event, isListening in
            guard let reporter, let listener, isListening() else { return }
            switch event {
            case .succeeded(let update): listener.vehicleReporter(reporter, didSucceed: update)
            case .failed(let update, let error):
                listener.vehicleReporter(reporter, didFail: update, withError: error)
            }
        }
        listeners.add(added, as: id)
    }

    func remove(_ listener: any VehicleReporterListener) {
        if let id = listeners.id(of: listener) { listeners.remove(id) }
    }

    /// Returns a stream of events, which ends with the reporter.
    func stream() -> AsyncStream<VehicleReporterEvent> {
        listeners.stream(
            { ($0, isLast: false) },
            add: { listeners.add($0, as: $1) },
            remove: { [weak listeners] id in listeners?.remove(id) }
        )
    }
}
