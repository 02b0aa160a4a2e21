import Logging
import StrictCoding

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
