import StrictCoding

/// The purpose of a token: one of the nine forms of Fleet Engine's `authorization` claim, each for one IAM role.
///
/// The raw value is the kind's name in paths, request bodies, configuration and logs. Kinds may be added.
@nonexhaustive public enum TokenKind: String, CaseIterable, Hashable, Sendable {
    /// A rider's app that follows one trip.
    case consumer
    /// A driver's app that reports one vehicle.
    case driver
    /// A courier's app that reports one delivery vehicle, on a device that is not trusted.
    case deliveryDriver = "delivery_driver"
    /// A courier's app on a trusted device: one delivery vehicle, and optionally one task.
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

    /// Creates a kind from its name, ignoring the case of ASCII letters.
    package init?(name: some StringProtocol) {
        let name = String(name)
        guard let kind = Self.allCases.first(where: { name.utf8.isEqual(ignoringCase: $0.rawValue) }) else {
            return nil
        }
        self = kind
    }

    /// Whether tokens of this kind grant access to more than one resource.
    ///
    /// Use such a token in a backend, never in an app.
    public var isPrivileged: Bool {
        switch self {
        case .server, .fleetReader, .deliveryServer: true
        case .consumer, .driver, .deliveryDriver, .trustedDeliveryDriver, .deliveryConsumer, .deliveryTask: false
        }
    }

    /// The field for the ID of the resource, as the JavaScript SDK's context names it; nil for a kind without one.
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

    /// The IAM role that the service account for this kind needs, and should have exclusively.
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
