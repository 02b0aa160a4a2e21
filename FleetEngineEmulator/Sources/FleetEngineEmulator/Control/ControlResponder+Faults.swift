#if Emulator
import StrictCoding

extension ControlResponder {
    /// The faults, with how often each matched and was injected.
    var faults: [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.name("faults")
            writer.array { writer in
                for (fault, matched, injected) in engine.faults.contents {
                    writer.object { writer in
                        writer.name("id")
                        writer.string(fault.id)
                        writer.name("matched")
                        writer.integer(matched)
                        writer.name("injected")
                        writer.integer(injected)
                    }
                }
            }
        }
        return writer.bytes
    }

    /// Replaces all faults: `{"seed": 1, "faults": […]}`, or `{"seed": 1, "profile": "flaky"}`.
    func setFaults(_ body: [UInt8]) throws(EngineError) -> [UInt8] {
        let object = try Self.object(body)
        var faults: [Fault] = []
        if let name = object["profile"]?.stringValue {
            guard let profile = FaultProfile(rawValue: name) else {
                throw .field(.bodyMalformed, "profile", "is not one of \(FaultProfile.names)")
            }
            faults = profile.faults
        }
        for (index, value) in (object["faults"]?.arrayValue ?? []).enumerated() {
            faults.append(try Fault(value.objectValue ?? JSONObject(), number: index + 1))
        }
        engine.faults.set(faults, seed: UInt64(bitPattern: object["seed"]?.integerValue ?? 1))
        return self.faults
    }
}

extension Fault {
    /// Creates a fault from `{"id", "methods", "resource", "probability", "times", "after"}` and one effect: `"error"`,
    /// `"latencyMilliseconds"`, `"reset"`, `"truncate"`, `"staleVersion"` or `"emptyMaskOnce"`.
    fileprivate init(_ object: JSONObject, number: Int) throws(EngineError) {
        effect = try Self.effect(object)
        id = object["id"]?.stringValue ?? "fault-\(number)"
        resource = object["resource"]?.stringValue ?? ""
        if object["probability"] != nil { probability = try object.number("probability") }
        if object["times"] != nil { times = Int(try object.number("times")) }
        if object["after"] != nil { after = Int(try object.number("after")) }
        guard let names = object["methods"]?.arrayValue else { return }
        var methods: Set<Method> = []
        for name in names {
            guard let method = name.stringValue.flatMap(Method.init) else {
                throw EngineError.field(.bodyMalformed, "methods", "has a name that is not a method's")
            }
            methods.insert(method)
        }
        self.methods = methods
    }

    private static func effect(_ object: JSONObject) throws(EngineError) -> Effect {
        if let error = object["error"]?.objectValue {
            let named = error["code"]?.stringValue.flatMap(StatusCode.init(name:))
            let numbered = error["status"]?.integerValue.flatMap { StatusCode(http: Int($0)) }
            guard let code = named ?? numbered else {
                throw EngineError.field(.bodyMalformed, "error", "needs a code such as UNAVAILABLE, or an HTTP status")
            }
            return .error(
                code,
                message: error["message"]?.stringValue ?? "Injected: \(code.name).",
                retryAfter: error["retryAfterSeconds"] == nil ? nil : try error.number("retryAfterSeconds")
            )
        }
        if let range = object["latencyMilliseconds"]?.objectValue {
            let (least, most) = (try range.number("min"), try range.number("max"))
            return .latency(max(0, least)...max(0, least, most))
        }
        if object["latencyMilliseconds"] != nil {
            let time = max(0, try object.number("latencyMilliseconds"))
            return .latency(time...time)
        }
        if object["reset"]?.boolValue == true { return .disturb(.reset) }
        if object["truncate"]?.boolValue == true { return .disturb(.truncate) }
        if object["staleVersion"]?.boolValue == true { return .staleVersion }
        if object["emptyMaskOnce"]?.boolValue == true { return .emptyMask }
        throw EngineError(.bodyMalformed, "A fault has no effect.")
    }
}
#endif
