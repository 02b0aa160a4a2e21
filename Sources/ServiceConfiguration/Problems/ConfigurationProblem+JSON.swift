package import StrictCoding

extension ConfigurationProblem {
    package var json: JSONValue {
        JSONValue(members: [
            ("setting", path.isEmpty ? .null : .string(path)), ("line", line.map { .integer(Int64($0)) } ?? .null),
            ("message", .string(message)),
        ])
    }
}
