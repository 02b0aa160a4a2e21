import Foundation
import TokenProvider

/// Reports an on-demand vehicle.
///
/// ```swift
/// let engine = FleetEngine(provider: try ResourceID(providerID), tokens: tokens)
/// let reporter = engine.vehicleReporter(for: try ResourceID(vehicleID)) {
///     // Where the device is, and where its navigation leads.
///     VehicleUpdate(location: VehicleLocation(location: LatLng(latitude: 25.0478, longitude: 121.517)))
/// }
/// reporter.locationTrackingEnabled = true
/// reporter.updateVehicleState(.online)
/// ```
///
/// The vehicle is offline until ``updateVehicleState(_:)``. When location tracking is turned off, one more update
/// reports it as offline; the request is tried again after server and network errors, at most four times.
///
/// Keep a reference to the reporter as long as it reports.
public final class VehicleReporter: ReporterOwner {
    let reporter: Reporter

    init(_ reporter: Reporter) {
        self.reporter = reporter
    }

    /// Whether the vehicle is, or will be, reported as online.
    public var vehicleState: VehicleState { reporter.state.vehicleState ?? .offline }

    /// Reports the vehicle as online or offline, now and with the further updates.
    ///
    /// While location tracking is off, no update is sent: the state is kept, and reported when location tracking is turned
    /// on. Turning it off sets the state to offline.
    public func updateVehicleState(_ state: VehicleState) {
        reporter.handle(.setVehicleState(state))
    }
}

/// Reports a delivery vehicle, with the token of a delivery driver whose device is not trusted.
///
/// When location tracking is turned off, updates stop; a delivery vehicle has no state. Keep a reference to the reporter
/// as long as it reports.
public final class DeliveryVehicleReporter: ReporterOwner {
    let reporter: Reporter

    init(_ reporter: Reporter) {
        self.reporter = reporter
    }
}

/// What both reporters have in common; each is a handle of a ``Reporter``.
protocol ReporterOwner: VehicleReporting {
    var reporter: Reporter { get }
}

extension ReporterOwner {
    /// The vehicle's ID.
    public var vehicleID: ResourceID { reporter.vehicleID }

    /// Whether updates are sent.
    public var locationTrackingEnabled: Bool {
        get { reporter.state.isEnabled }
        set { reporter.handle(newValue ? .enable : .disable) }
    }

    /// The interval between updates in seconds.
    public var locationUpdateInterval: TimeInterval {
        get { reporter.state.interval }
        set { reporter.handle(.setInterval(newValue)) }
    }

    /// The number of updates so far.
    public var statistics: VehicleReporterStatistics { reporter.state.statistics }

    /// The outcomes of updates from now on.
    public var events: AsyncStream<VehicleReporterEvent> { reporter.stream() }

    /// Adds a listener, which is held weakly.
    public func addListener(_ listener: any VehicleReporterListener) { reporter.add(listener, of: self) }

    /// Removes a listener.
    public func removeListener(_ listener: any VehicleReporterListener) { reporter.remove(listener) }
}
