import FleetToken
import Foundation
import TestTools
import Testing

/// Against Foundation's parser, which shares no code with ours.
struct JSONDifferentialTests {
    @Test(arguments: 0..<20)
    func `Valid texts are read as by Foundation, and read back as they were written`(seed: UInt64) throws {
        var random = RandomJSON(seed: seed)
        for _ in 0..<100 {
            let value = random.value()
            let text = random.spelling(of: value)
            #expect(try JSONParser.parse(text.utf8) == value)
            #expect(try JSONParser.parse(written(value)) == value)
            #expect(agrees(value, try foundation(Data(text.utf8))), "\(text)")
        }
    }

    @Test(arguments: 0..<20)
    func `Damaged texts are refused, or Foundation reads the same`(seed: UInt64) throws {
        var random = RandomJSON(seed: 1000 + seed)
        var accepted = 0
        for _ in 0..<300 {
            let bytes = random.generator.damage(Array(random.spelling(of: random.value()).utf8))
            let value: JSONValue
            do throws(JSONError) {
                value = try JSONParser.parse(bytes)
            } catch {
                #expect((0...bytes.count).contains(error.offset))
                continue
            }
            accepted += 1
            #expect(try JSONParser.parse(written(value)) == value)
            // Foundation refuses a number that fits none of its types.
            guard !holdsDecimal(value) else { continue }
            #expect(agrees(value, try foundation(Data(bytes))), "\(bytes)")
        }
        #expect(accepted > 0)
    }

    private func written(_ value: JSONValue) -> [UInt8] {
        var writer = JSONWriter()
        writer.value(value)
        return writer.bytes
    }

    private func foundation(_ data: Data) throws -> Any {
        try JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)
    }

    private func holdsDecimal(_ value: JSONValue) -> Bool {
        switch value {
        case .decimal: true
        case .array(let elements): elements.contains { holdsDecimal($0) }
        case .object(let object): object.members.contains { holdsDecimal($0.value) }
        default: false
        }
    }

    private func agrees(_ value: JSONValue, _ other: Any) -> Bool {
        switch value {
        case .null: other is NSNull
        case .bool(let bool): other as? Bool == bool
        case .integer(let integer): (other as? NSNumber)?.int64Value == integer
        case .decimal: false
        case .string(let string): (other as? String).map { Array($0.utf8) } == Array(string.utf8)
        case .array(let elements): agrees(elements, other)
        case .object(let object): agrees(object, other)
        }
    }

    private func agrees(_ elements: [JSONValue], _ other: Any) -> Bool {
        guard let others = other as? [Any], others.count == elements.count else { return false }
        return zip(elements, others).allSatisfy { agrees($0, $1) }
    }

    private func agrees(_ object: JSONObject, _ other: Any) -> Bool {
        guard let others = other as? [String: Any] else { return false }
        // Foundation keeps one of two names that differ in their normalisation only.
        guard others.count == Set(object.names).count else { return false }
        guard others.count == object.members.count else { return true }
        return object.members.allSatisfy { member in
            others[member.name].map { agrees(member.value, $0) } ?? false
        }
    }
}
