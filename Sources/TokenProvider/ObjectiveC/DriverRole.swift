/// The role of a driver, which determines the kind of the token; in Objective-C its name is `FTDriverRole`.
///
/// The Driver SDK uses `vehicleID` both for a vehicle of an on-demand fleet and for a delivery vehicle, but their tokens
/// differ.
#if canImport(ObjectiveC)
@objc(FTDriverRole)
#endif
public enum DriverRole: Int, Sendable {
    /// The driver of a vehicle that transports riders.
    case onDemand
    /// The driver of a delivery vehicle, with a device that is not trusted: the usual case.
    case delivery
    /// The driver of a delivery vehicle, with a trusted device; the token also names the task if the SDK does.
    case trustedDelivery
}
