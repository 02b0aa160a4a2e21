import FleetToken
package import HTTPTypes
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

    /// Whether an ID is safe to log and to show.
    package static func isValid(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { $0.isASCIILetterOrDigit || "._-".utf8.contains($0) }
    }
}

extension HTTPField.Name {
    // The initializer accepts any RFC 9110 token; an invalid literal would fail every test.
    // swift-format-ignore: NeverForceUnwrap
    package static let requestID = Self("X-Request-Id")!
    // swift-format-ignore: NeverForceUnwrap
    package static let traceParent = Self("traceparent")!
}
