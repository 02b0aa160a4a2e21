import FleetToken
import Testing

struct JSONValueTests {
    private func object(_ name: String, _ value: JSONValue) -> JSONValue {
        var object = JSONObject()
        _ = object.append(.init(name, value))
        return .object(object)
    }

    @Test
    func `A value has one type`() {
        let values: [JSONValue] = [
            .null, .bool(true), .integer(1), .decimal("1.0"), .string("1"), .array([]), object("a", .null),
        ]
        #expect(values.map { $0.boolValue != nil } == [false, true, false, false, false, false, false])
        #expect(values.map { $0.integerValue != nil } == [false, false, true, false, false, false, false])
        #expect(values.map { $0.stringValue != nil } == [false, false, false, false, true, false, false])
        #expect(values.map { $0.arrayValue != nil } == [false, false, false, false, false, true, false])
        #expect(values.map { $0.objectValue != nil } == [false, false, false, false, false, false, true])
        for (index, value) in values.enumerated() {
            #expect(values.firstIndex(of: value) == index)
        }
    }

    /// Unlike Swift's strings, which are equal when they look the same.
    @Test(
        arguments: [("caf\u{E9}", "cafe\u{301}"), ("K", "\u{212A}"), ("\u{1100}\u{1161}", "\u{AC00}")]
    )
    func `Strings are compared by bytes`(first: String, second: String) {
        #expect(first == second)
        #expect(JSONValue.string(first) != .string(second))
        #expect(JSONValue.array([.string(first)]) != .array([.string(second)]))
        #expect(object(first, .null) != object(second, .null))
        #expect(object("a", .string(first)) != object("a", .string(second)))
        #expect(Set([JSONValue.string(first), .string(second)]).count == 2)
        #expect(Set([object(first, .null), object(second, .null)]).count == 2)
    }

    @Test
    func `An object has a name once, byte by byte`() {
        var object = JSONObject()
        let added = [
            object.append(.init("a", .integer(1))),
            object.append(.init("a", .integer(2))),
            object.append(.init("caf\u{E9}", .integer(3))),
            object.append(.init("cafe\u{301}", .integer(4))),
        ]
        #expect(added == [true, false, true, true])
        #expect(object.members.map(\.value) == [.integer(1), .integer(3), .integer(4)])
        #expect(object["caf\u{E9}"] == .integer(3) && object["cafe\u{301}"] == .integer(4))
    }
}
