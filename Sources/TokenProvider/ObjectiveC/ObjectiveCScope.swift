import FleetToken
public import Foundation

/// The scope of a token; in Objective-C its name is `FTTokenScope`.
///
/// An invalid ID is an error of the call that fetches the token. In Swift, use `TokenScope`.
#if canImport(ObjectiveC)
@objc(FTTokenScope) @objcMembers
#endif
public final class ObjectiveCScope: NSObject, Sendable {
    let scope: SDKScope

    private init(_ kind: TokenKind, _ id: String?, taskID: String? = nil) {
        scope = SDKScope(kind, id, taskID: taskID)
    }

    /// Returns the scope of a rider who follows a trip.
    public static func trip(_ tripID: String?) -> ObjectiveCScope { .init(.consumer, tripID) }

    /// Returns the scope of a driver; only that of a trusted delivery driver contains the task.
    public static func vehicle(_ vehicleID: String?, taskID: String?, role: DriverRole) -> ObjectiveCScope {
        .init(role.kind, vehicleID, taskID: taskID)
    }

    /// Returns the scope of a recipient who follows a shipment by its tracking ID.
    public static func tracking(_ trackingID: String?) -> ObjectiveCScope { .init(.deliveryConsumer, trackingID) }

    /// Returns the scope of a recipient who follows a task.
    public static func task(_ taskID: String?) -> ObjectiveCScope { .init(.deliveryTask, taskID) }
}
