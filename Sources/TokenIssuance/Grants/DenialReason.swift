package import FleetToken

/// Why a grant doesn't allow a request.
package enum DenialReason: Error, Hashable {
    /// It is for other kinds.
    case kind
    /// A claim does not have the required value.
    case condition(path: [String])
    /// The kind gives access to everything, and the caller is no admin.
    case callerIsNoAdmin
    /// It allows certain IDs, and the request is for everything.
    case everything
    /// It allows no task beside the vehicle.
    case task
    /// The claim that lists the caller's IDs is absent, or anything but an ID or a list of IDs.
    case claim(path: [String])
    /// An ID is none of those that it allows.
    case id(ResourceID)
    /// Its webhook did not allow the request.
    case webhook(name: String, WebhookResult)

    /// Whether the grant gives the caller the kind, if only for other resources.
    var isAboutResources: Bool {
        switch self {
        case .kind, .condition, .callerIsNoAdmin: false
        case .everything, .task, .claim, .id, .webhook: true
        }
    }
}

extension DenialReason: CustomStringConvertible {
    /// The reason for the operator: without IDs and claim values, which are personal data.
    package var description: String {
        switch self {
        case .kind: "the grant does not include this kind"
        case .condition(let path): "claims.\(path.joined(separator: ".")) does not have the required value"
        case .callerIsNoAdmin: "the kind gives access to everything, and the caller has no admin: true"
        case .everything: "the grant allows specific IDs, not access to everything"
        case .task: "the grant allows no task in addition to the vehicle"
        case .claim(let path): "claims.\(path.joined(separator: ".")) is neither an ID nor a list of IDs"
        case .id: "an ID matches none of the grant's IDs and patterns"
        case .webhook(let name, let result): "webhook \(name): \(result)"
        }
    }
}
