import HTTPTypes

/// What a request is known by in logs, the audit trail and answers.
struct RequestID: CustomStringConvertible {
    let description: String

    /// The ID that a proxy in front gave the request, if it is one that can go into a log as it is; else a new one.
    ///
    /// - Parameters:
    ///   - headers: The request's header fields.
    ///   - isTrusted: Whether they come from a proxy whose word is taken. Anybody else could choose another request's
    ///     ID, and forge what the trail says.
    init(_ headers: HTTPFields = [:], isTrusted: Bool = false) {
        if isTrusted, let given = headers[.requestID], Self.isValid(given) {
            description = given
        } else {
            description = String(UInt64.random(in: .min ... .max), radix: 36)
        }
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
    static let requestID = Self("X-Request-Id")!
    // swift-format-ignore: NeverForceUnwrap
    static let host = Self("Host")!
}
