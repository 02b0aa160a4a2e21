extension ControlResponder {
    /// The faults, with their effects, and how often each matched and was injected.
    var faults: JSON {
        let faults = engine.faults.contents.map { fault, matched, injected -> JSON in
            .object(
                fault.source + [
                    JSON.Member(name: "matched", value: .integer(matched)),
                    JSON.Member(name: "injected", value: .integer(injected)),
                ]
            )
        }
        return ["faults": .array(faults)]
    }

    /// Replaces all faults: `{"seed": 1, "faults": […]}`, or `{"seed": 1, "profile": "flaky"}`.
    func setFaults(_ body: [UInt8]) throws(EngineError) -> JSON {
        var members = try Members(body)
        let seed = try members.integer("seed")
        let name = try members.string("profile")
        let list = try members.array("faults")
        try members.end()
        guard name != nil || list != nil else { throw members.mistake("faults", "is missing, and so is profile") }
        var profile: [JSON] = []
        if let name {
            guard let faults = Fault.profiles[name] else {
                throw members.mistake(
                    "profile",
                    "is not one of \(Fault.profiles.keys.sorted().joined(separator: ", "))"
                )
            }
            profile = faults
        }
        var faults: [Fault] = []
        for (index, value) in (profile + (list ?? [])).enumerated() {
            faults.append(try Fault(Members(value, at: "faults[\(index)]"), number: index + 1))
        }
        engine.faults.set(faults, seed: UInt64(bitPattern: seed ?? 1))
        return self.faults
    }
}

extension Fault {
    /// Creates a fault from `{"id", "methods", "resource", "probability", "times", "after"}` and one effect: `"error"`,
    /// `"latencyMilliseconds"`, `"reset"`, `"truncate"`, `"staleVersion"` or `"emptyMaskOnce"`.
    fileprivate init(_ object: Members, number: Int) throws(EngineError) {
        var members = object
        let id = try members.string("id") ?? "fault-\(number)"
        source = [JSON.Member(name: "id", value: .string(id))] + members.rest
        self.id = id
        effect = try Self.effect(&members)
        resource = try members.string("resource") ?? ""
        probability = try members.number("probability", in: 0...1) ?? 1
        times = try members.number("times", in: 0...1e9).map { Int($0) }
        after = Int(try members.number("after", in: 0...1e9) ?? 0)
        if let names = try members.array("methods") {
            var methods: Set<Method> = []
            for name in names {
                guard let method = name.string.flatMap(Method.init) else {
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
            "reset": .disturb(.reset), "truncate": .disturb(.truncate), "staleVersion": .staleVersion,
            "emptyMaskOnce": .emptyMask,
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
        let named = try members.string("code")
        let numbered = try members.integer("status")
        guard let code = named.flatMap(StatusCode.init(name:)) ?? numbered.flatMap({ StatusCode(http: Int($0)) }) else {
            throw members.mistake("code", "is not a code such as UNAVAILABLE, and status is no HTTP status of an error")
        }
        let message = try members.string("message") ?? "Injected: \(code.name)."
        let retryAfter = try members.number("retryAfterSeconds", in: 0...1e6)
        try members.end()
        return .error(code, message: message, retryAfter: retryAfter)
    }

    private static func range(_ value: JSON, _ fault: Members) throws(EngineError) -> ClosedRange<Double> {
        var bounds = try Members(
            value.members == nil ? ["min": value, "max": value] : value,
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
