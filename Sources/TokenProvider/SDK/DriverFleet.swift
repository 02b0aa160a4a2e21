import FleetToken

/// What kind of vehicle a driver's app reports.
///
/// The Driver SDK calls both a vehicle of an on-demand fleet and a delivery vehicle `vehicleID`, but their tokens differ.
/// Kinds may be added.
#if canImport(ObjectiveC)
@objc(FTDriverFleet)
#endif
@nonexhaustive
public enum DriverFleet: Int, Sendable {
    /// A vehicle that takes riders.
    case onDemand
    /// A delivery vehicle, on a device that is not trusted: the usual case.
    case delivery
    /// A delivery vehicle on a trusted device; its token names the task as well if the SDK does.
    case trustedDelivery

    var kind: TokenKind {
        switch self {
        case .onDemand: .driver
        case .delivery: .deliveryDriver
        case .trustedDelivery: .trustedDeliveryDriver
        }
    }
}
