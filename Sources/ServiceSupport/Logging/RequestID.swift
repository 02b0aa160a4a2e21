import FleetToken

/// The IDs of requests in logs, the audit trail and responses.
package enum RequestID {
    /// Whether an ID that another service assigned is safe to log and to show.
    package static func isValid(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { $0.isASCIILetterOrDigit || "._-".utf8.contains($0) }
    }
}
