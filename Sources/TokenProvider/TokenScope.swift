import Foundation

/// What a token grants access to: one trip, vehicle, shipment or task.
///
/// IDs are sent as they are. An ID that Fleet Engine doesn't allow is an error of the call that requests the token: it must
/// have 1 to 64 characters in Unicode Normalization Form C (NFC), none of them `/ : ? , #`, and be neither `.` nor `..`.
public struct TokenScope: Hashable, Sendable {
    /// The kind of token as the token server's routes name it, such as `consumer` or `driver`.
    public let kind: String
    /// The ID of the trip, vehicle, shipment or task.
    public let id: String?
    /// The task that a trusted driver's token names beside the vehicle.
    public let taskID: String?
    /// Checked once, because each call needs the result.
    private let hasValidIDs: Bool

    private init(_ kind: String, _ id: String? = nil, task: String? = nil) {
        self.kind = kind
        self.id = id
        taskID = task
        hasValidIDs = [id, task].allSatisfy { $0.map(Self.isValid) ?? true }
    }

    /// Returns the scope of one trip, for a rider.
    public static func trip(_ id: String) -> Self { Self("consumer", id) }

    /// Returns the scope of one vehicle, for its driver.
    public static func vehicle(_ id: String) -> Self { Self("driver", id) }

    /// Returns the scope of one delivery vehicle, for a driver whose device is not trusted.
    public static func deliveryVehicle(_ id: String) -> Self { Self("delivery_driver", id) }

    /// Returns the scope of one delivery vehicle and optionally one task, for a driver whose device is trusted.
    ///
    /// An empty task is none.
    public static func trustedDeliveryVehicle(_ id: String, task: String? = nil) -> Self {
        Self("trusted_delivery_driver", id, task: task?.isEmpty == true ? nil : task)
    }

    /// Returns the scope of one shipment, for its recipient.
    public static func shipment(_ trackingID: String) -> Self { Self("delivery_consumer", trackingID) }

    /// Returns the scope of one task, for its recipient.
    public static func task(_ id: String) -> Self { Self("delivery_task", id) }

    // The scopes below are a backend's. They aren't public, because no app may have a token for a whole fleet.

    /// All trips and vehicles.
    package static let server = Self("server")

    /// All deliveries, read-only.
    package static let fleetReader = Self("fleet_reader")

    /// All deliveries.
    package static let deliveryServer = Self("delivery_server")
}

extension TokenScope {
    /// Checks the IDs.
    func check() throws(TokenProviderError) {
        guard !hasValidIDs else { return }
        throw TokenProviderError(
            .invalidArgument,
            "There is no ID, or Fleet Engine doesn't allow it. Use 1 to 64 characters in NFC, and none of / : ? , #"
        )
    }

    /// Returns whether a text follows Google's rule for IDs, and is no step of a path.
    private static func isValid(_ id: String) -> Bool {
        guard (1...256).contains(id.utf8.count), id.unicodeScalars.count <= 64, id != ".", id != "..",
            !id.utf8.contains(where: { "/:?,#".utf8.contains($0) })
        else { return false }
        return id.utf8.allSatisfy { $0 < 0x80 } || id.precomposedStringWithCanonicalMapping.utf8.elementsEqual(id.utf8)
    }
}
