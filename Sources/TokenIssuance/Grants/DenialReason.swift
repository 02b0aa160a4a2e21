package import FleetToken

/// Why a grant doesn't allow a request.
package enum DenialReason: Error, Hashable {
    /// It is for other callers.
    case caller
    /// It is for other kinds.
    case kind
    /// A claim doesn't have the value that it asks for.
    case condition(path: [String])
    /// The configuration doesn't say that the kind is privileged.
    case kindIsNotPrivileged
    /// It doesn't say that it is privileged.
    case grantIsNotPrivileged
    /// A person's app may be at the other end, or nobody knows who.
    case callerIsNotTrusted
    /// It allows certain IDs, and the request is for everything.
    case everything
    /// It allows no task beside the vehicle.
    case task
    /// The claim that lists the caller's IDs is absent, or anything but an ID or a list of IDs.
    case claim(path: [String])
    /// An ID is none of those that it allows.
    case id(ResourceID)
    /// Its webhook didn't allow the request.
    case webhook(name: String, WebhookAnswer)

    /// Whether the grant gives the caller the kind, if only for other resources.
    var isAboutResources: Bool {
        switch self {
        case .caller, .kind, .condition, .kindIsNotPrivileged, .grantIsNotPrivileged, .callerIsNotTrusted: false
        case .everything, .task, .claim, .id, .webhook: true
        }
    }
}

extension DenialReason: CustomStringConvertible {
    /// What is in the way, for the operator: without IDs and claims' values, which are personal data.
    package var description: String {
        switch self {
        case .caller: "it is for other callers"
        case .kind: "it is for other kinds"
        case .condition(let path): "claims.\(path.joined(separator: ".")) does not have the value it asks for"
        case .kindIsNotPrivileged: "the kind is not privileged"
        case .grantIsNotPrivileged: "the grant is not privileged"
        case .callerIsNotTrusted: "an app or an anonymous caller gets no privileged token"
        case .everything: "it allows certain IDs, not everything at once"
        case .task: "it allows no task beside the vehicle"
        case .claim(let path): "claims.\(path.joined(separator: ".")) is neither an ID nor a list of IDs"
        case .id: "an ID is none of those it allows"
        case .webhook(let name, let answer): "webhook \(name): \(answer)"
        }
    }
}
