import FleetToken

extension Fault {
    /// The names of ``profile(_:)``.
    static let profiles = ["healthy", "flaky", "outage", "quota", "first-updates"]

    /// Returns faults that are often wanted together, as the control plane sets them; nil for an unknown name.
    static func profile(_ name: String) -> [JSONValue]? {
        let unavailable = object([
            ("code", .string("UNAVAILABLE")), ("message", .string("The service is currently unavailable.")),
        ])
        switch name {
        case "healthy": return []
        // One request in ten fails, and many responses are late.
        case "flaky":
            let latency = object([("min", .integer(20)), ("max", .integer(200))])
            return [
                object([("id", .string("unavailable")), ("probability", .decimal("0.1")), ("error", unavailable)]),
                object([("id", .string("slow")), ("probability", .decimal("0.5")), ("latencyMilliseconds", latency)]),
            ]
        case "outage": return [object([("id", .string("outage")), ("error", unavailable)])]
        // One request in five is over the quota.
        case "quota":
            let error = object([
                ("code", .string("RESOURCE_EXHAUSTED")), ("message", .string("Quota exceeded.")),
                ("retryAfterSeconds", .integer(1)),
            ])
            return [object([("id", .string("quota")), ("probability", .decimal("0.2")), ("error", error)])]
        case "first-updates": return [object([("id", .string("empty-mask")), ("emptyMaskOnce", .bool(true))])]
        default: return nil
        }
    }

    /// Creates faults from a list, each by its path in the body.
    static func list(_ values: [JSONValue]) throws(EngineError) -> [Fault] {
        var faults: [Fault] = []
        for (index, value) in values.enumerated() {
            faults.append(try Fault(Members(value, at: "faults[\(index)]"), number: index + 1))
        }
        return faults
    }

    private static func object(_ members: [(name: String, value: JSONValue?)]) -> JSONValue { .members(members) }
}
