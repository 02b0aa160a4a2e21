/// What a fault does to a response on its way.
enum Disturbance: String, Sendable {
    /// The connection is closed after the head of the response.
    case reset
    /// The connection is closed in the middle of the response.
    case truncate
}

/// A fault that is injected into some requests.
struct Fault: Sendable {
    /// What happens.
    enum Effect: Sendable {
        /// The request is refused.
        case error(StatusCode, message: String, retryAfter: Double?)
        /// The response waits, for a time between two, in milliseconds.
        case latency(ClosedRange<Double>)
        /// The response is lost, or cut off.
        case disturb(Disturbance)
        /// The response about a resource is the first that was given since the fault was set.
        case staleVersion
        /// The first update of each resource is refused with "update_mask cannot be empty".
        case emptyMask
    }

    /// The members that it was set with.
    let source: [JSON.Member]
    let id: String
    /// The methods; nil for all.
    var methods: Set<Method>?
    /// The prefix of the resource names.
    var resource = ""
    /// The share of the requests, from 0 to 1.
    var probability = 1.0
    /// The maximum number of injections; nil for none.
    var times: Int?
    /// How many requests are spared first.
    var after = 0
    let effect: Effect

    /// Returns whether a request is one of those that the fault is for.
    func matches(_ method: Method, _ name: String) -> Bool {
        methods?.contains(method) != false && name.utf8.starts(with: resource.utf8)
    }
}

extension Method {
    /// Whether the method has an update mask.
    var isUpdate: Bool {
        [.updateTrip, .updateVehicle, .updateDeliveryVehicle, .updateTask].contains(self)
    }
}
