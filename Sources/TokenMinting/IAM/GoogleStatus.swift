import FleetToken
package import ServiceSupport

/// Google's status for a refused request: the names of its error, from a small vocabulary.
///
/// The message is ignored. It may repeat the request, and tells an operator no more than the names.
package struct GoogleStatus {
    package let code: Int
    /// The names: `google.rpc`'s status and the reasons in `details`, or OAuth's error.
    package let names: [String]
    let retryAfter: Duration?

    package init(_ response: OutgoingResponse) {
        code = response.status
        names = Self.names(in: response.body.reveal())
        retryAfter = response.retryAfter(maximum: Self.longestPause / .seconds(1)).map { .seconds($0) }
    }

    /// The maximum pause that a response can request: five minutes.
    private static let longestPause = Duration.seconds(300)

    private static func names(in body: [UInt8]) -> [String] {
        guard let error = try? JSONParser.parseObject(body)["error"] else { return [] }
        var names = [error.stringValue, error.objectValue?["status"]?.stringValue]
        for detail in error.objectValue?["details"]?.arrayValue?.prefix(8) ?? [] {
            names.append(detail.objectValue?["reason"]?.stringValue)
        }
        return names.compactMap { $0 }.filter(isName)
    }

    private static func isName(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { $0.isASCIILetter || $0 == UInt8(ascii: "_") }
    }

    /// Returns whether one of the names equals this one.
    package func says(_ name: String) -> Bool {
        names.contains { $0.hasSameBytes(as: name) }
    }

    /// The status code and the names, for the operator.
    package var text: String {
        names.isEmpty ? "status \(code)" : "status \(code), \(names.joined(separator: ", "))"
    }
}
