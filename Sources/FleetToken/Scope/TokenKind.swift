/// The purpose of a token: one of the nine forms of Fleet Engine's `authorization` claim, each for one IAM role.
///
/// The raw value is the kind's name in paths, request bodies, configuration and logs. Kinds may be added.
#if hasAttribute(nonexhaustive)
@nonexhaustive
#endif
public enum TokenKind: String, CaseIterable, Hashable, Sendable {
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

    /// The table of kinds: all that distinguishes one from the others.
    ///
    /// Scopes, claims, the reading of requests and of tokens, and the service's tools follow it.
    private var row: Row {
        switch self {
        case .consumer: .one(.trip, role: "consumerSdkUser")
        case .driver: .one(.vehicle, role: "driverSdkUser")
        case .deliveryDriver: .one(.deliveryVehicle, role: "deliveryUntrustedDriver")
        case .trustedDeliveryDriver: .one(.deliveryVehicle, tasks: .one, role: "deliveryTrustedDriver")
        case .deliveryConsumer: .one(.tracking, role: "deliveryConsumer")
        case .deliveryTask: .one(.task, role: "deliveryConsumer")
        case .server: .every([.trip, .vehicle], role: "ondemandAdmin")
        case .fleetReader: .every([.task, .tracking, .deliveryVehicle], role: "deliveryFleetReader")
        case .deliveryServer: .every([.task, .tracking, .deliveryVehicle], tasks: .batch, role: "deliveryAdmin")
        }
    }
}

extension TokenKind {
    /// The tasks that a request may name in addition.
    package enum Tasks: Sendable {
        case none
        /// One, beside the resource.
        case one
        /// Those of one batch, in place of the wildcards.
        case batch
    }

    private struct Row {
        let claims: [ScopeClaim.Name]
        let isPrivileged: Bool
        let tasks: Tasks
        let role: String

        /// Returns the row of a kind whose tokens name one resource.
        static func one(_ claim: ScopeClaim.Name, tasks: Tasks = .none, role: String) -> Self {
            Self(claims: [claim], isPrivileged: false, tasks: tasks, role: role)
        }

        /// Returns the row of a kind whose tokens have wildcards.
        static func every(_ claims: [ScopeClaim.Name], tasks: Tasks = .none, role: String) -> Self {
            Self(claims: claims, isPrivileged: true, tasks: tasks, role: role)
        }
    }

    /// Creates a kind from its name, ignoring the case of ASCII letters.
    package init?(name: some StringProtocol) {
        let name = String(name)
        guard let kind = Self.allCases.first(where: { name.utf8.isEqual(ignoringCase: $0.rawValue) }) else {
            return nil
        }
        self = kind
    }

    /// All names, for messages: `consumer, driver, …`.
    package static var names: String {
        allCases.map(\.rawValue).joined(separator: ", ")
    }

    /// Whether tokens of this kind grant access to more than one resource.
    ///
    /// Use such a token in a backend, never in an app.
    public var isPrivileged: Bool { row.isPrivileged }

    /// The claims of the kind's tokens: each a wildcard if the kind is privileged, otherwise that of the resource alone.
    package var claims: [ScopeClaim.Name] { row.claims }

    /// The tasks that a request for this kind may name.
    package var tasks: Tasks { row.tasks }

    /// The claim with the ID of the resource; nil for a kind without one.
    package var idClaim: ScopeClaim.Name? { isPrivileged ? nil : claims.first }

    /// The field for the ID of the resource, as the JavaScript SDK's context names it; nil for a kind without one.
    package var idField: String? { idClaim?.field }

    /// The IAM role that the service account for this kind needs, and should have exclusively.
    package var role: String { "roles/fleetengine.\(row.role)" }

    /// Returns whether a token of this kind can have exactly these claims.
    package func canHave(_ authorization: [ScopeClaim]) -> Bool {
        let names = Set(authorization.map(\.name))
        let isWildcard = authorization.allSatisfy { $0.value == .every }
        if names == [.tasks] { return tasks == .batch }
        guard isPrivileged == isWildcard, isWildcard || !authorization.contains(where: { $0.value == .every }) else {
            return false
        }
        return names == Set(claims) || tasks == .one && names == Set(claims + [.task])
    }
}
