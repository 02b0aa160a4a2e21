public import Foundation
import Synchronization

/// Reports a vehicle to Fleet Engine, as the Driver SDK's vehicle reporters do.
///
/// ```swift
/// let engine = FleetEngine(provider: providerID, token: tokens)
/// let reporter = engine.vehicleReporter(for: vehicleID) {
///     // Where the device is, and where its navigation leads.
///     VehicleUpdate(location: VehicleLocation(location: LatLng(latitude: 25.0478, longitude: 121.517)))
/// }
/// reporter.locationTrackingEnabled = true
/// reporter.updateVehicleState(.online)
/// ```
///
/// While location tracking is on, an update is sent at each interval: the location, the remaining time and distance while
/// the vehicle navigates, and what else has changed. After a failure the next update has the newest data. One request is
/// under way at a time. All methods may be called from any thread.
///
/// An on-demand vehicle is offline until ``updateVehicleState(_:)``. When location tracking is turned off, one more update
/// reports it as offline; the request is tried again after server and network errors, at most four times.
///
/// Keep a reference to the reporter as long as it reports.
public final class VehicleReporter: Sendable {
    typealias Source = @Sendable () -> VehicleUpdate?

    private struct State: Sendable {
        var machine: ReporterState
        var timer: Task<Void, Never>?
        var readers = Readers<VehicleReporterEvent>()
    }

    /// The vehicle's ID.
    public let vehicleID: String
    private let format: ReportFormat
    private let client: EngineClient
    private let source: Source
    private let state: Mutex<State>

    init(_ format: ReportFormat, vehicle: String, client: EngineClient, source: @escaping Source) {
        self.format = format
        vehicleID = vehicle
        self.client = client
        self.source = source
        state = Mutex(State(machine: ReporterState(format)))
    }

    deinit {
        let timer = state.withLock { $0.timer }
        // Before the streams end, so that no timer is left when a reader sees the end.
        timer?.cancel()
        state.withLock { $0.readers.finish() }
    }

    /// Whether updates are sent: false until it is set; the first is sent at once.
    public var locationTrackingEnabled: Bool {
        get { state.withLock { $0.machine.isEnabled } }
        set { handle(newValue ? .enable : .disable) }
    }

    /// The interval between updates in seconds: 10, limited to the range 5 to 60.
    ///
    /// A change takes effect after the next update.
    public var locationUpdateInterval: TimeInterval {
        get { state.withLock { $0.machine.interval } }
        set { handle(.setInterval(newValue)) }
    }

    /// Whether an on-demand vehicle is, or will be, reported as online.
    public var vehicleState: VehicleState { state.withLock { $0.machine.vehicleState } ?? .offline }

    /// Reports an on-demand vehicle as online or offline, now and with the further updates.
    ///
    /// While location tracking is off, no update is sent: the state is kept, and reported when location tracking is turned
    /// on. Turning it off sets the state to offline. A delivery vehicle has no state: the method has no effect.
    public func updateVehicleState(_ state: VehicleState) {
        handle(.setVehicleState(state))
    }

    /// The number of updates so far.
    public var statistics: VehicleReporterStatistics { state.withLock { $0.machine.statistics } }

    /// The outcomes of updates from now on; each access is a separate stream, which ends with the reporter.
    ///
    /// A slow reader loses the oldest of more than 256 events.
    public var events: AsyncStream<VehicleReporterEvent> {
        AsyncStream(bufferingPolicy: .bufferingNewest(256)) { continuation in
            state.withLock { state in
                state.readers.add(continuation) { [weak self] id in
                    self?.state.withLock { $0.readers.remove(id) }
                }
            }
        }
    }

    /// Passes an input to the state machine, and carries out the effects.
    private func handle(_ input: ReporterState.Input) {
        let random = client.configuration.random()
        let (effects, former) = state.withLock { state in
            let (effects, former) = (state.machine.handle(input, random: random), state.timer)
            for effect in effects {
                switch effect {
                case .wait(let number, let pause): state.timer = timer(number, pause)
                case .cancelTimer: state.timer = nil
                case .report(let event): state.readers.report(event)
                case .sample, .send: break
                }
            }
            return (effects, state.timer == former ? nil : former)
        }
        former?.cancel()
        for effect in effects {
            switch effect {
            case .sample(let number): handle(.sampled(number, source()))
            case .send(let number, let update, let fields): send(number, update: update, fields: fields)
            case .wait, .cancelTimer, .report: break
            }
        }
    }

    private func timer(_ number: UInt64, _ pause: Seconds) -> Task<Void, Never> {
        Task { [weak self, sleep = client.configuration.sleep] in
            guard (try? await sleep(pause)) != nil else { return }
            self?.handle(.wake(number))
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
}
