import SwiftProtobuf

extension Message {
    /// Creates a message from proto3 JSON.
    ///
    /// - Parameters:
    ///   - value: The JSON.
    ///   - path: Where the value is in a body; empty for the body itself.
    /// - Throws: ``EngineError`` that names the first field which is unknown or has another type.
    init(strict value: JSON, at path: String = "") throws(EngineError) {
        if let name = value.nameInTwoSpellings {
            throw EngineError.malformed(name, "occurs in both spellings of its name")
        }
        do {
            try self.init(jsonUTF8Bytes: value.bytes)
        } catch {
            guard value.members != nil else {
                throw EngineError(.bodyMalformed, "\(path.isEmpty ? "The body" : path) is not a JSON object.")
            }
            let field = [path, Self.mistake(in: value) { $0 } ?? ""].filter { !$0.isEmpty }.joined(separator: ".")
            throw EngineError.malformed(field, "is unknown, or its value has another type or range")
        }
    }

    /// Returns the path of the first value that keeps an object from being this message; nil if there is none.
    ///
    /// The message's own parser says what is wrong, and not where. It is asked about each value alone.
    private static func mistake(in value: JSON, _ whole: (JSON) -> JSON) -> String? {
        func isValid(_ part: JSON) -> Bool { (try? Self(jsonUTF8Bytes: whole(part).bytes)) != nil }
        switch value {
        case .object(let members) where isValid([:]):
            for member in members where !isValid(.object([member])) {
                let inner = mistake(in: member.value) { whole(.object([JSON.Member(name: member.name, value: $0)])) }
                return inner.map { $0.hasPrefix("[") ? member.name + $0 : "\(member.name).\($0)" } ?? member.name
            }
        case .array(let elements) where isValid([]):
            for (index, element) in elements.enumerated() where !isValid([element]) {
                let inner = mistake(in: element) { whole([$0]) }
                return "[\(index)]" + (inner.map { ".\($0)" } ?? "")
            }
        default: break
        }
        return nil
    }
}

extension JSON {
    /// The name of a field that an object has twice, such as `tripId` and `trip_id`; nil if there is none.
    ///
    /// A message's own parser takes the last.
    fileprivate var nameInTwoSpellings: String? {
        switch self {
        case .object(let members):
            var names: Set<String> = []
            if let twice = members.first(where: { !names.insert($0.name.camelCased).inserted }) { return twice.name }
            return members.lazy.compactMap(\.value.nameInTwoSpellings).first
        case .array(let elements): return elements.lazy.compactMap(\.nameInTwoSpellings).first
        default: return nil
        }
    }
}

extension String {
    /// A field's name, or the paths of a mask, in camel case, as proto3 JSON has them.
    var camelCased: String {
        var isUpper = false
        var bytes: [UInt8] = []
        for byte in utf8 {
            guard byte != UInt8(ascii: "_") else {
                isUpper = true
                continue
            }
            bytes.append(isUpper && (0x61...0x7A).contains(byte) ? byte & 0xDF : byte)
            isUpper = false
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
