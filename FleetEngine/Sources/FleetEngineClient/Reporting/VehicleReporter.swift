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
    // It is ``ReporterState`` behind a lock, with its requests and timers.

    typealias Source = @Sendable () -> VehicleUpdate?

    /// The vehicle's ID.
    public let vehicleID: String
    private let format: ReportFormat
    private let client: EngineClient
    private let source: Source
    private let machine: Mutex<ReporterState>
    private let broadcast = Broadcast<VehicleReporterEvent>()
    private let outbox = Outbox<VehicleReporterEvent>()
    private let timer = CancellationSlot()

    init(_ format: ReportFormat, vehicle: String, client: EngineClient, source: @escaping Source) {
        self.format = format
        vehicleID = vehicle
        self.client = client
        self.source = source
        machine = Mutex(ReporterState(format))
    }

    deinit {
        // Before the streams end, so that no timer is left when a reader sees the end.
        timer.cancel(upTo: .max)
        broadcast.finish()
    }

    /// Whether updates are sent: false until it is set; the first is sent at once.
    public var locationTrackingEnabled: Bool {
        get { machine.withLock { $0.isEnabled } }
        set { handle(newValue ? .enable : .disable) }
    }

    /// The interval between updates in seconds: 10, limited to the range 5 to 60.
    ///
    /// A change takes effect after the next update.
    public var locationUpdateInterval: TimeInterval {
        get { machine.withLock { $0.interval } }
        set { handle(.setInterval(newValue)) }
    }

    /// Whether an on-demand vehicle is, or will be, reported as online.
    public var vehicleState: VehicleState { machine.withLock { $0.vehicleState } ?? .offline }

    /// Reports an on-demand vehicle as online or offline, now and with the further updates.
    ///
    /// While location tracking is off, no update is sent: the state is kept, and reported when location tracking is turned
    /// on. Turning it off sets the state to offline. A delivery vehicle has no state: the method has no effect.
    public func updateVehicleState(_ state: VehicleState) {
        handle(.setVehicleState(state))
    }

    /// The number of updates so far.
    public var statistics: VehicleReporterStatistics { machine.withLock { $0.statistics } }

    /// The outcomes of updates from now on; each access is a separate stream, which ends with the reporter.
    ///
    /// A slow reader loses the oldest of more than 256 events.
    public var events: AsyncStream<VehicleReporterEvent> { broadcast.stream() }

    private func handle(_ input: ReporterState.Input) {
        let random = client.configuration.random()
        let effects = machine.withLock { machine in
            let effects = machine.handle(input, random: random)
            for case .report(let event) in effects { outbox.post(event) }
            return effects
        }
        for effect in effects {
            switch effect {
            case .sample(let number): handle(.sampled(number, source()))
            case .send(let number, let update, let fields): send(number, update: update, fields: fields)
            case .wait(let number, let pause):
                timer.keep(number, client.configuration.timer(pause) { [weak self] in self?.handle(.wake(number)) })
            case .cancelTimer(let number): timer.cancel(upTo: number)
            case .report: break
            }
        }
        // A reader that sees an event finds the next timer set.
        outbox.deliver { broadcast.send($0) }
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

/// The outcome of an update.
#if hasAttribute(nonexhaustive)
@nonexhaustive
#endif
public enum VehicleReporterEvent: Sendable {
    /// Fleet Engine accepted an update.
    case succeeded(VehicleUpdate)
    /// An update failed; reporting continues.
    case failed(VehicleUpdate, FleetEngineError)
}
