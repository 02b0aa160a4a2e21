import FleetToken

/// The type of vehicle that a driver's app reports.
///
/// The Driver SDK uses `vehicleID` both for a vehicle of an on-demand fleet and for a delivery vehicle, but their
/// tokens differ. Types may be added.
#if canImport(ObjectiveC)
@objc(FTDriverFleet)
#endif
@nonexhaustive
public enum DriverFleet: Int, Sendable {
    /// A vehicle that transports riders.
    case onDemand
    /// A delivery vehicle, on a device that is not trusted: the usual case.
    case delivery
    /// A delivery vehicle on a trusted device; its token also names the task if the SDK does.
    case trustedDelivery

    var kind: TokenKind {
        switch self {
        case .onDemand: .driver
        case .delivery: .deliveryDriver
        case .trustedDelivery: .trustedDeliveryDriver
        }
    }
}
