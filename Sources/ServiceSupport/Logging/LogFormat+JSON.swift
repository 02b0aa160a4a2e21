import Logging
import StrictCoding

extension LogFormat {
    /// Returns one JSON object, for machines.
    ///
    /// `ts`, `level`, `logger` and `message` come first, then the process's attributes, `error`, a request's attributes,
    /// and all other metadata in `metadata`: no metadata can pass for another member. `truncated` is there, and true, if
    /// something was left out.
    static func json(_ record: LogRecord, _ resource: [(name: String, value: String)]) -> [UInt8] {
        var budget = LogBudget()
        var json = JSONWriter()
        json.object { json in
            json.member("ts", record.timestamp)
            json.member("level", record.level.rawValue)
            json.member("logger", budget.fit(record.label))
            json.member("message", budget.fit(record.message))
            for attribute in resource {
                json.name(text: attribute.name)
                json.string(attribute.value)
            }
            if let error = record.error {
                json.name("error")
                json.object { json in
                    json.member("type", budget.fit(String(reflecting: type(of: error))))
                    json.member("message", budget.fit(String(describing: error)))
                }
            }
            for attribute in record.attributes {
                json.name(text: attribute.name)
                json.metadata(attribute.value, &budget)
            }
            let metadata = record.otherMetadata
            if !metadata.isEmpty {
                json.name("metadata")
                json.members(metadata, &budget)
            }
            if budget.isExceeded {
                json.member("truncated", true)
            }
        }
        return json.bytes + [UInt8(ascii: "\n")]
    }
}

extension JSONWriter {
    /// Writes metadata: objects and arrays as such, numbers and Booleans too, all else as text.
    mutating func metadata(_ value: Logger.MetadataValue, _ budget: inout LogBudget, depth: Int = 1) {
        switch value {
        case .string(let text): string(budget.fit(text))
        case .stringConvertible(let value): scalar(value, &budget)
        case .array(let elements):
            array { json in
                for element in elements {
                    guard budget.takesMember(depth: depth) else { break }
                    json.metadata(element, &budget, depth: depth + 1)
                }
            }
        case .dictionary(let dictionary): members(dictionary.inOrder(), &budget, depth: depth)
        }
    }

    /// Writes an object of metadata.
    mutating func members(_ members: [Logger.Metadata.Member], _ budget: inout LogBudget, depth: Int = 1) {
        object { json in
            var names: Set<String> = []
            for member in members {
                guard budget.takesMember(depth: depth) else { break }
                let name = budget.fit(member.name)
                // Two names became equal after removing characters.
                guard names.insert(name).inserted else {
                    budget.isExceeded = true
                    continue
                }
                json.name(text: name)
                json.metadata(member.value, &budget, depth: depth + 1)
            }
        }
    }

    private mutating func scalar(_ value: any CustomStringConvertible, _ budget: inout LogBudget) {
        switch value {
        case let value as Bool: bool(value)
        case let value as any BinaryInteger: self.value(.decimal(value.description))
        case let value as Double where value.isFinite: self.value(.decimal(value.description))
        default: string(budget.fit(value.description))
        }
    }
}
