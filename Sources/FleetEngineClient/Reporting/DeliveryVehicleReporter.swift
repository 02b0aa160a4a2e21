public import Foundation
public import TokenProvider

/// Reports a delivery vehicle, with the token of a delivery driver whose device is not trusted.
///
/// When location tracking is turned off, updates stop; a delivery vehicle has no state. Keep a reference to the reporter
/// as long as it reports.
public final class DeliveryVehicleReporter: VehicleReporting {
    private let reporter: Reporter

    init(_ reporter: Reporter) {
        self.reporter = reporter
    }

    /// The vehicle's ID.
    public var vehicleID: ResourceID { reporter.vehicleID }

    /// Whether updates are sent.
    public var locationTrackingEnabled: Bool {
        get { reporter.state.isEnabled }
        set { reporter.handle(newValue ? .enable : .disable) }
    }

    /// The interval between updates in seconds: 10, limited to the range 5 to 60.
    public var locationUpdateInterval: TimeInterval {
        get { reporter.state.interval }
        set { reporter.handle(.setInterval(newValue)) }
    }

    /// The number of updates so far.
    public var statistics: VehicleReporterStatistics { reporter.state.statistics }

    /// The outcomes of updates from now on.
    public var events: AsyncStream<VehicleReporterEvent> { reporter.stream() }

    /// Adds a listener, which is held weakly.
    public func addListener(_ listener: any VehicleReporterListener) {
        reporter.add(listener, of: self)
    }

    /// Removes a listener.
    public func removeListener(_ listener: any VehicleReporterListener) {
        reporter.remove(listener)
    }
}
