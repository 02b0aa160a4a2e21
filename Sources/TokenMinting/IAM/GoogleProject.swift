import FleetToken

/// A Google Cloud project.
package enum GoogleProject {
    /// Returns whether a text is a project's ID, and not its number; those of a domain have a period and a colon.
    package static func isID(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count) && text.utf8.first?.isASCIISmall == true
            && text.utf8.allSatisfy { $0.isASCIISmall || $0.isASCIIDigit || "-.:".utf8.contains($0) }
    }
}
