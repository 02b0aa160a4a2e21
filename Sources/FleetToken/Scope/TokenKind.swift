/// What a token is for: the nine shapes of Fleet Engine's `authorization` claim, each signed for one IAM role.
///
/// The raw value is the kind's name in paths, bodies, configuration and logs. Kinds may be added.
@nonexhaustive public enum TokenKind: String, CaseIterable, Hashable, Sendable {
    /// A rider's app that follows one trip.
    case consumer
    /// A driver's app that reports one vehicle.
    case driver
    /// A courier's app that reports one delivery vehicle, on a device that is not trusted.
    case deliveryDriver = "delivery_driver"
    /// A courier's app on a trusted device: one delivery vehicle, and one task if it is named.
    case trustedDeliveryDriver = "trusted_delivery_driver"
    /// A recipient who follows one shipment by its tracking ID.
    case deliveryConsumer = "delivery_consumer"
    /// A recipient who follows one task.
    case deliveryTask = "delivery_task"
    /// A backend that manages all trips and vehicles.
    case server
    /// An operator's page that sees all deliveries.
    case fleetReader = "fleet_reader"
    /// A backend that manages all deliveries, or creates one batch of tasks.
    case deliveryServer = "delivery_server"

    /// Reads a kind's name, in any mixture of upper and lower case ASCII letters.
    package init?(name: some StringProtocol) {
        let lowercased = name.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
        guard let kind = Self.allCases.first(where: { $0.rawValue.utf8.elementsEqual(lowercased) }) else { return nil }
        self = kind
    }

    /// Whether its tokens open more than one resource.
    ///
    /// Such a token belongs in a backend, never in an app.
    public var isPrivileged: Bool {
        switch self {
        case .server, .fleetReader, .deliveryServer: true
        case .consumer, .driver, .deliveryDriver, .trustedDeliveryDriver, .deliveryConsumer, .deliveryTask: false
        }
    }

    /// The field that names the one resource, as the JavaScript SDK's context calls it; nil where there is none.
    package var idField: String? {
        switch self {
        case .consumer: "tripId"
        case .driver: "vehicleId"
        case .deliveryDriver, .trustedDeliveryDriver: "deliveryVehicleId"
        case .deliveryConsumer: "trackingId"
        case .deliveryTask: "taskId"
        case .server, .fleetReader, .deliveryServer: nil
        }
    }

    /// The IAM role that the service account which signs this kind needs, and should have alone.
    package var role: String {
        switch self {
        case .consumer: "roles/fleetengine.consumerSdkUser"
        case .driver: "roles/fleetengine.driverSdkUser"
        case .deliveryDriver: "roles/fleetengine.deliveryUntrustedDriver"
        case .trustedDeliveryDriver: "roles/fleetengine.deliveryTrustedDriver"
        case .deliveryConsumer, .deliveryTask: "roles/fleetengine.deliveryConsumer"
        case .server: "roles/fleetengine.ondemandAdmin"
        case .fleetReader: "roles/fleetengine.deliveryFleetReader"
        case .deliveryServer: "roles/fleetengine.deliveryAdmin"
        }
    }

    /// All names, for messages: `consumer, driver, …`.
    package static var names: String {
        allCases.map(\.rawValue).joined(separator: ", ")
    }
}
