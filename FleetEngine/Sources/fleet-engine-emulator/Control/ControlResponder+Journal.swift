import SwiftProtobuf

extension ControlResponder {
    /// The journal: `{"count", "refused": {rule: count}, "requests": […]}`; `?refused=true` lists refusals only, and
    /// `?limit=N` the last N.
    func requests(_ parameters: [(name: String, value: String)]) throws(EngineError) -> JSON {
        let contents = engine.journal.contents
        var entries = contents.entries
        var limit = entries.count
        for (name, value) in parameters {
            switch (name, value) {
            case ("refused", "true"): entries.removeAll { $0.error == nil }
            case ("refused", "false"): break
            case ("refused", _): throw .malformed("refused", "is not true or false")
            case ("limit", _):
                guard let number = Int(value), number >= 0 else {
                    throw .malformed("limit", "is not a whole number from 0")
                }
                limit = number
            default: throw .malformed(name, "is not a parameter; there are refused and limit")
            }
        }
        let refused = contents.refused.sorted { $0.key.rawValue < $1.key.rawValue }
        return [
            "count": .integer(contents.count),
            "refused": .object(refused.map { JSON.Member(name: $0.key.reason, value: .integer($0.value)) }),
            "requests": .array(entries.suffix(limit).map(\.json)),
        ]
    }
}

extension Journal.Entry {
    fileprivate var json: JSON {
        .members([
            "number": .integer(number),
            "time": .integer(time.seconds),
            "transport": .string(transport.rawValue),
            "method": .string(method),
            "resource": .string(resource),
            "account": account.map(JSON.string),
            "status": .string(error?.code.name ?? "OK"),
            "rule": (error?.rule.reason).map(JSON.string),
            "message": (error?.message).map(JSON.string),
            "faults": faults.isEmpty ? nil : .array(faults.map(JSON.string)),
        ])
    }
}
