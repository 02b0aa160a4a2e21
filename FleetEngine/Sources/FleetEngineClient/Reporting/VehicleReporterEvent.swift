/// The outcome of an update.
public enum VehicleReporterEvent: Sendable {
    /// Fleet Engine accepted an update.
    case succeeded(VehicleUpdate)
    /// An update failed; reporting continues.
    case failed(VehicleUpdate, FleetEngineError)
}
