/// The email address of a service account.
package enum ServiceAccountAddress {
    /// Returns whether a text is a Google service account's address: it ends with `.gserviceaccount.com`.
    ///
    /// Such an address has no character with a meaning in a URL but `@`, which a path may have.
    package static func isGoogles(_ text: String) -> Bool {
        let form = /[0-9a-z.\-]+@[0-9a-z.\-]*\.gserviceaccount\.com/.matchingSemantics(.unicodeScalar)
        return text.utf8.count <= 254 && text.wholeMatch(of: form) != nil
    }
}
