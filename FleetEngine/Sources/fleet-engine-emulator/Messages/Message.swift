import EngineCoding
import FleetToken

/// A message of the API: its fields by their names in JSON, as a ``Table`` has read them.
///
/// A field with its default value, such as an empty list, is absent.
struct Message: Hashable, Sendable {
    private(set) var fields: [String: JSONValue] = [:]

    /// The value of a field; nil if it is absent.
    subscript(name: String) -> JSONValue? {
        get { fields[name] }
        set { fields[name] = newValue }
    }

    /// Whether a field is there.
    func has(_ name: String) -> Bool { fields[name] != nil }

    /// A text, or the name of an enumeration's value; empty if it is absent.
    func text(_ name: String) -> String { fields[name]?.stringValue ?? "" }

    func flag(_ name: String) -> Bool { fields[name]?.boolValue ?? false }

    func integer(_ name: String) -> Int64? { fields[name]?.integerValue }

    func number(_ name: String) -> Double? { fields[name]?.numberValue }

    func time(_ name: String) -> Timestamp? { Timestamp(text(name)) }

    /// A duration in seconds.
    func duration(_ name: String) -> Double? { ProtoDuration.parse(text(name)) }

    func message(_ name: String) -> Message? { fields[name].flatMap(Message.init) }

    func messages(_ name: String) -> [Message] { fields[name]?.arrayValue?.compactMap(Message.init) ?? [] }

    func texts(_ name: String) -> [String] { fields[name]?.arrayValue?.compactMap(\.stringValue) ?? [] }

    /// A position.
    func point(_ name: String) -> Point? { message(name).map(Point.init) }
}

extension Message {
    /// Creates a message from an object that a table has read; nil for another value.
    init?(_ value: JSONValue) {
        guard let members = value.objectValue?.members else { return nil }
        for member in members { fields[member.name] = member.value }
    }

    /// The message as JSON, with its fields in the order of their names.
    var json: JSONValue { .members(fields.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }) }
}

extension Message: ExpressibleByDictionaryLiteral {
    init(dictionaryLiteral elements: (String, JSONValue?)...) {
        for (name, value) in elements { fields[name] = value }
    }
}
