import StrictCoding

/// The email address of a service account.
package enum ServiceAccountAddress {
    /// Returns whether a text is a Google service account's address: it ends with `.gserviceaccount.com`.
    ///
    /// Such an address has no character with a meaning in a URL but `@`, which a path may have.
    package static func isGoogles(_ text: String) -> Bool {
        let parts = text.utf8.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
        return text.utf8.count <= 254 && parts.count == 2
            && parts.allSatisfy { part in
                part.allSatisfy { $0.isASCIIDigit || $0.isASCIISmall || "-.".utf8.contains($0) }
            }
            && !parts[0].isEmpty && text.utf8.reversed().starts(with: ".gserviceaccount.com".utf8.reversed())
    }
}
