import FleetToken
package import HTTPTypes

/// A position in a distributed trace, as W3C Trace Context describes it.
///
/// What later versions add behind the flags is ignored.
/// Invalid values are ignored, and nothing is sent back to the caller.
package struct TraceContext: Sendable, Hashable {
    /// The trace's ID: 32 hexadecimal digits in lower case, not all zero.
    package let traceID: String
    /// The flags, as `traceparent` has them: whether the caller samples the trace, and no others.
    package let flags: String

    /// Creates the context from a request's single `traceparent`, if it is valid.
    package init?(_ fields: HTTPFields) {
        let values = fields[values: .traceParent]
        guard values.count == 1, let value = values.first else { return nil }
        let parts = value.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        let known = parts.prefix(4)
        guard known.map(\.count) == [2, 32, 16, 2], known.joined().allSatisfy(\.isASCIISmallHexDigit),
            parts.count == 4 || !parts[0].elementsEqual("00".utf8), !parts[0].elementsEqual("ff".utf8),
            Self.isID(parts[1]), Self.isID(parts[2]),
            let flags = UInt8(String(decoding: parts[3], as: UTF8.self), radix: 16)
        else { return nil }
        traceID = String(decoding: parts[1], as: UTF8.self)
        self.flags = flags & 1 == 1 ? "01" : "00"
    }

    /// Returns a `traceparent` for an outgoing request in the same trace, with a new span ID.
    package func forwarded() -> String {
        let digits = String(UInt64.random(in: 1 ... .max), radix: 16)
        let span = String(repeating: "0", count: 16 - digits.utf8.count) + digits
        return "00-\(traceID)-\(span)-\(flags)"
    }

    private static func isID(_ digits: Substring.UTF8View) -> Bool {
        digits.contains { $0 != UInt8(ascii: "0") }
    }
}

extension HTTPField.Name {
    // A valid field name, spelled out here.
    // swift-format-ignore: NeverForceUnwrap
    package static let traceParent = Self("traceparent")!
}
