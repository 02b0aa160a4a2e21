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
