package import HTTPTypes
import StrictCoding
import Synchronization

/// The ID of a request in logs, the audit trail and responses.
package struct RequestID: Sendable, CustomStringConvertible {
    package let description: String

    /// Creates the ID from the one that a proxy in front assigned, if it is safe to log; otherwise a new ID.
    ///
    /// - Parameters:
    ///   - headers: The request's header fields.
    ///   - isTrusted: Whether the header fields come from a trusted proxy. Other clients could choose another request's
    ///     ID and forge audit records.
    package init(_ headers: HTTPFields = [:], isTrusted: Bool = false) {
        if isTrusted, let given = headers[.requestID], Self.isValid(given) {
            description = given
        } else {
            description = String(Self.next(), radix: 36)
        }
    }

    /// The sequence's state; it starts at a random value in each process.
    private static let state = Atomic<UInt64>(.random(in: .min ... .max))

    /// Returns the next number of a sequence without repetitions (SplitMix64).
    ///
    /// An ID is not secret, and the system's random numbers would cost a system call per request.
    private static func next() -> UInt64 {
        var number = state.wrappingAdd(0x9E37_79B9_7F4A_7C15, ordering: .relaxed).newValue
        number = (number ^ (number >> 30)) &* 0xBF58_476D_1CE4_E5B9
        number = (number ^ (number >> 27)) &* 0x94D0_49BB_1331_11EB
        return number ^ (number >> 31)
    }

    private static func isValid(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { $0.isASCIILetterOrDigit || "._-".utf8.contains($0) }
    }
}

/// A position in a distributed trace: W3C Trace Context, version 00.
///
/// Invalid values are ignored, and nothing is sent back to the caller.
package struct TraceContext: Sendable, Hashable {
    /// The context of the request that the current task answers.
    @TaskLocal package static var current: TraceContext?

    /// The trace's ID: 32 hexadecimal digits in lower case, not all zero.
    package let traceID: String
    /// The ID of the caller's span: 16 hexadecimal digits in lower case, not all zero.
    package let spanID: String
    /// The flags, as `traceparent` and logs have them: whether the caller samples the trace, and no others.
    package let flags: String

    /// Creates the context from a request's single `traceparent`, if it is valid.
    package init?(_ fields: HTTPFields) {
        let values = fields[values: .traceParent]
        guard values.count == 1, let value = values.first else { return nil }
        let parts = value.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard parts.map(\.count) == [2, 32, 16, 2], parts.joined().allSatisfy(\.isASCIISmallHexDigit),
            parts[0].elementsEqual("00".utf8), Self.isID(parts[1]), Self.isID(parts[2]),
            let flags = UInt8(String(decoding: parts[3], as: UTF8.self), radix: 16)
        else { return nil }
        traceID = String(decoding: parts[1], as: UTF8.self)
        spanID = String(decoding: parts[2], as: UTF8.self)
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
    // The initializer accepts any RFC 9110 token; an invalid literal would fail every test.
    // swift-format-ignore: NeverForceUnwrap
    package static let requestID = Self("X-Request-Id")!
    // swift-format-ignore: NeverForceUnwrap
    static let traceParent = Self("traceparent")!
}
