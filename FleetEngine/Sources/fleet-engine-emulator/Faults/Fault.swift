import FleetToken

/// A fault that is injected into some requests.
struct Fault: Sendable {
    /// What happens.
    enum Effect: Sendable {
        /// The request is refused.
        case error(StatusCode, _ message: String, retryAfter: Double? = nil)
        /// The response waits, for a time between two, in milliseconds.
        case latency(ClosedRange<Double>)
        /// The response is lost, or cut off.
        case disturb(Disturbance)
        /// The first update of each resource is refused with "update_mask cannot be empty".
        case emptyMask
    }

    /// What a fault does to a response on its way.
    enum Disturbance: Sendable {
        /// The connection is closed after the head of the response.
        case reset
        /// The connection is closed in the middle of the response.
        case truncate
    }

    let effect: Effect
    /// The share of the requests, from 0 to 1.
    var probability = 1.0
    /// The methods; nil for all.
    var methods: Set<Method>?
    /// The prefix of the resource names.
    var resource = ""
    /// The maximum number of injections; nil for none.
    var times: Int?

    /// Creates a fault for all methods and resources.
    init(_ effect: Effect, probability: Double = 1) {
        self.effect = effect
        self.probability = probability
    }

    /// Returns whether a request is one of those that the fault is for.
    func matches(_ method: Method, _ name: String) -> Bool {
        methods?.contains(method) != false && name.utf8.starts(with: resource.utf8)
    }
}

extension Fault {
    /// Creates a fault from `{"methods", "resource", "probability", "times"}` and one effect: `"error"`,
    /// `"latencyMilliseconds"`, `"reset"`, `"truncate"` or `"emptyMaskOnce"`.
    init(_ object: Members) throws(EngineError) {
        var members = object
        effect = try Self.effect(&members)
        resource = try members.string("resource") ?? ""
        probability = try members.number("probability", in: 0...1) ?? 1
        times = try members.number("times", in: 0...1e9).map { Int($0) }
        if let names = try members.array("methods") {
            var methods: Set<Method> = []
            for name in names {
                guard let method = name.stringValue.flatMap(Method.init(rawValue:)) else {
                    throw members.mistake("methods", "has a name that is not a method's")
                }
                methods.insert(method)
            }
            self.methods = methods
        }
        try members.end()
    }

    private static func effect(_ members: inout Members) throws(EngineError) -> Effect {
        var effects: [Effect] = []
        if let error = try members.object("error") { effects.append(try Self.error(error)) }
        if let latency = members.take("latencyMilliseconds") {
            effects.append(.latency(try Self.range(latency, members)))
        }
        let flags: KeyValuePairs<String, Effect> = [
            "reset": .disturb(.reset), "truncate": .disturb(.truncate), "emptyMaskOnce": .emptyMask,
        ]
        for (name, effect) in flags where try members.bool(name) == true { effects.append(effect) }
        guard effects.count == 1 else {
            throw members.mistake(
                "",
                effects.isEmpty ? "has no effect" : "has more than one effect: make it two faults"
            )
        }
        return effects[0]
    }

    private static func error(_ object: Members) throws(EngineError) -> Effect {
        var members = object
        guard let code = StatusCode(name: try members.string("code") ?? "") else {
            throw members.mistake("code", "is not a code such as UNAVAILABLE")
        }
        let message = try members.string("message") ?? "Injected: \(code.name)."
        let retryAfter = try members.number("retryAfterSeconds", in: 0...1e6)
        try members.end()
        return .error(code, message, retryAfter: retryAfter)
    }

    private static func range(_ value: JSONValue, _ fault: Members) throws(EngineError) -> ClosedRange<Double> {
        var bounds = try Members(
            value.objectValue == nil ? .members([("min", value), ("max", value)]) : value,
            at: fault.path("latencyMilliseconds")
        )
        let least = try bounds.number("min", in: 0...3_600_000)
        let most = try bounds.number("max", in: 0...3_600_000)
        try bounds.end()
        guard let least, let most, least <= most else {
            throw bounds.mistake("min", "and max are needed, in this order")
        }
        return least...most
    }
}
