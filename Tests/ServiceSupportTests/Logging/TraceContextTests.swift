import HTTPTypes
import Testing

@testable import ServiceSupport

struct TraceContextTests {
    private static let trace = "4bf92f3577b34da6a3ce929d0e0e4736"
    private static let example = "00-\(trace)-00f067aa0ba902b7-01"

    private func context(_ values: String...) -> TraceContext? {
        var fields = HTTPFields()
        for value in values { fields.append(HTTPField(name: .traceParent, value: value)) }
        return TraceContext(fields)
    }

    @Test
    func `A valid traceparent is taken`() throws {
        let context = try #require(self.context(Self.example))
        #expect((context.traceID, context.flags) == (Self.trace, "01"))
        #expect(self.context("00-\(Self.trace)-00f067aa0ba902b7-fe")?.flags == "00")
    }

    @Test(arguments: ["", "-", "-what-a-later-version-adds"])
    func `A later version is read as far as it is known`(added: String) throws {
        let context = try #require(self.context("01-\(Self.trace)-00f067aa0ba902b7-03\(added)"))
        #expect((context.traceID, context.flags) == (Self.trace, "01"))
    }

    @Test
    func `A forwarded traceparent has the same trace, and a new span each time`() throws {
        let context = try #require(self.context(Self.example))
        let spans = (0..<100).map { _ in context.forwarded() }
        #expect(Set(spans).count == 100)
        for span in spans {
            #expect(span.hasPrefix("00-\(Self.trace)-") && span.hasSuffix("-01"))
            #expect(self.context(span)?.traceID == Self.trace)
        }
    }

    @Test(
        arguments: [
            "", "00", "00-\(trace)-00f067aa0ba902b7", "00-\(trace)-00f067aa0ba902b7-1",
            "00-\(trace)-00f067aa0ba902b7-001",
            "01-\(trace)-00f067aa0ba902b7-1", "01-\(trace)-00f067aa0ba902b7-01x", "ff-\(trace)-00f067aa0ba902b7-01",
            "00-\(trace)-00f067aa0ba902b7-01-x",
            "00-\(trace.uppercased())-00f067aa0ba902b7-01", "00-\(trace)-00F067AA0BA902B7-01",
            "00-00000000000000000000000000000000-00f067aa0ba902b7-01", "00-\(trace)-0000000000000000-01",
            "00-\(trace)0-00f067aa0ba902b7-01", "00-\(trace.dropLast())-00f067aa0ba902b7-01",
            "00-\(trace.dropLast())g-00f067aa0ba902b7-01", "00-\(trace)-00f067aa0ba902b7-0g",
            "00-\(trace)-00f067aa0ba902b7-+1",
            "00_\(trace)_00f067aa0ba902b7_01", "00-\(trace)--00f067aa0ba902b7-01", "\(example),\(example)",
            "00-\(trace.dropLast())\u{0664}-00f067aa0ba902b7-01",
        ]
    )
    func `Anything else is ignored`(text: String) {
        #expect(context(text) == nil)
    }

    @Test
    func `Two, or none, are no context`() {
        #expect(context(Self.example, Self.example) == nil)
        #expect(context() == nil)
    }
}
