/// Whether an on-demand vehicle accepts trips; the raw values are those of Fleet Engine and of Google's SDK.
public enum VehicleState: Int, Sendable, CaseIterable {
    /// No state.
    case unknown = 0
    /// The vehicle accepts no trips.
    case offline = 1
    /// The vehicle accepts trips.
    case online = 2
}

extension VehicleState: ProtoEnumeration {
    static let protoNames = ["UNKNOWN_VEHICLE_STATE", "OFFLINE", "ONLINE"]
}
