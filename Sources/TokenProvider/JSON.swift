import Foundation

/// A JSON value of a response or a token.
enum JSON: Decodable {
    case object([String: JSON])
    case array([JSON])
    case text(String)
    case number(Double)
    case other

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let object = try? container.decode([String: JSON].self) {
            self = .object(object)
        } else if let array = try? container.decode([JSON].self) {
            self = .array(array)
        } else if let text = try? container.decode(String.self) {
            self = .text(text)
        } else if let number = try? container.decode(Double.self) {
            self = .number(number)
        } else {
            self = .other
        }
    }

    init?(_ body: Data) {
        guard let value = try? JSONDecoder().decode(JSON.self, from: body) else { return nil }
        self = value
    }

    var isObject: Bool { if case .object = self { true } else { false } }
    var text: String? { if case .text(let text) = self { text } else { nil } }
    var elements: [JSON] { if case .array(let elements) = self { elements } else { [] } }

    /// A number, also as text: some servers write 64-bit integers so.
    var number: Double? {
        switch self {
        case .number(let number): number
        case .text(let text): Double(text).flatMap { $0.isFinite ? $0 : nil }
        default: nil
        }
    }

    /// A date in seconds since 1970 that arithmetic can be done with.
    var date: TimeInterval? {
        guard case .number(let number) = self, abs(number) < 1e15 else { return nil }
        return number.rounded(.down)
    }

    /// The value under keys that dots separate.
    subscript(path path: String) -> JSON? {
        path.split(separator: ".").reduce(Optional(self)) { value, key in
            guard case .object(let members) = value else { return nil }
            return members[String(key)]
        }
    }
}
