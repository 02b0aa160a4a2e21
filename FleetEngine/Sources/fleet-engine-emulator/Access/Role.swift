/// The IAM role of a service account: what its tokens permit at most.
enum Role: String, CaseIterable, Sendable {
    case consumer = "consumerSdkUser"
    case driver = "driverSdkUser"
    case server = "serviceSuperUser"
    case admin = "ondemandAdmin"
    case deliveryConsumer
    case untrustedDeliveryDriver = "deliveryUntrustedDriver"
    case trustedDeliveryDriver = "deliveryTrustedDriver"
    case deliveryFleetReader
    case deliveryServer = "deliverySuperUser"
    case deliveryAdmin

    private static let prefix = "roles/fleetengine."

    /// Creates the role with a name, with or without `roles/fleetengine.`.
    init?(name: String) {
        self.init(rawValue: name.hasPrefix(Self.prefix) ? String(name.dropFirst(Self.prefix.count)) : name)
    }

    /// The roles of tokend's service accounts, by the kinds of their tokens.
    static let byTokenKind: KeyValuePairs<String, Role> = [
        "consumer": .consumer, "driver": .driver, "delivery_driver": .untrustedDeliveryDriver,
        "trusted_delivery_driver": .trustedDeliveryDriver, "delivery_consumer": .deliveryConsumer,
        "delivery_task": .deliveryConsumer, "server": .admin, "fleet_reader": .deliveryFleetReader,
        "delivery_server": .deliveryAdmin,
    ]

    /// The name that IAM has.
    var name: String { Self.prefix + rawValue }

    /// Whether the claims of a token don't matter.
    var ignoresClaims: Bool { self == .admin || self == .deliveryAdmin }

    /// What the role permits.
    var permissions: Set<Permission> {
        switch self {
        case .consumer: [.getTrip, .getVehicle, .searchVehicles]
        case .driver: [.getTrip, .searchTrips, .updateTrip, .getVehicle, .updateVehicleLocation]
        case .server, .admin:
            Self.onDemandReading.union([
                .createTrip, .updateTrip, .updateTripState, .deleteTrip, .createVehicle,
                .updateVehicle, .updateVehicleLocation, .deleteVehicle,
            ])
        case .deliveryConsumer: [.getTask, .getTaskTrackingInfo]
        case .untrustedDeliveryDriver: Self.untrustedDriving
        case .trustedDeliveryDriver:
            Self.untrustedDriving.union([.createDeliveryVehicle, .updateDeliveryVehicle, .createTask, .updateTask])
        case .deliveryFleetReader: Self.deliveryReading
        case .deliveryServer, .deliveryAdmin:
            Self.deliveryReading.union([
                .createDeliveryVehicle, .updateDeliveryVehicle, .updateDeliveryVehicleLocation,
                .updateDeliveryVehicleStop, .deleteDeliveryVehicle, .createTask, .updateTask, .updateTaskOutcome,
                .deleteTask,
            ])
        }
    }

    private static let onDemandReading: Set<Permission> = [
        .getTrip, .searchTrips, .getVehicle, .listVehicles, .searchVehicles,
    ]
    private static let deliveryReading: Set<Permission> = [
        .getDeliveryVehicle, .listDeliveryVehicles, .getTask, .listTasks, .getTaskTrackingInfo,
    ]
    private static let untrustedDriving: Set<Permission> = [
        .getDeliveryVehicle, .updateDeliveryVehicleLocation, .updateDeliveryVehicleStop, .getTask, .updateTaskOutcome,
    ]
}
