package import HTTPTypes
import Synchronization

/// What a request is known by in logs, the audit trail and answers.
package struct RequestID: CustomStringConvertible {
    package let description: String

    /// The ID that a proxy in front gave the request, if it is one that can go into a log as it is; else a new one.
    ///
    /// - Parameters:
    ///   - headers: The request's header fields.
    ///   - isTrusted: Whether they come from a proxy whose word is taken. Anybody else could choose another request's
    ///     ID, and forge what the trail says.
    package init(_ headers: HTTPFields = [:], isTrusted: Bool = false) {
        if isTrusted, let given = headers[.requestID], Self.isValid(given) {
            description = given
        } else {
            description = String(Self.next(), radix: 36)
        }
    }

    /// Where the sequence stands; it begins somewhere else in each process.
    private static let state = Atomic<UInt64>(.random(in: .min ... .max))

    /// The next number of a sequence that goes through all of them before one comes again (SplitMix64).
    ///
    /// An ID is no secret, and the system's random numbers would cost a call of the system for each request.
    private static func next() -> UInt64 {
        var number = state.wrappingAdd(0x9E37_79B9_7F4A_7C15, ordering: .relaxed).newValue
        number = (number ^ (number >> 30)) &* 0xBF58_476D_1CE4_E5B9
        number = (number ^ (number >> 27)) &* 0x94D0_49BB_1331_11EB
        return number ^ (number >> 31)
    }

    private static func isValid(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
                    true
                default: false
                }
            }
    }
}

extension HTTPField.Name {
    // The initialiser takes any token of RFC 9110, and a literal that is none would fail every test.
    // swift-format-ignore: NeverForceUnwrap
    package static let requestID = Self("X-Request-Id")!
    // swift-format-ignore: NeverForceUnwrap
    package static let host = Self("Host")!
}
