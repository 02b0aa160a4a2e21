/// The email address of a service account.
package enum ServiceAccountAddress {
    /// Returns whether a text is a Google service account's address: it ends with `.gserviceaccount.com`.
    ///
    /// Such an address has no character with a meaning in a URL but `@`, which a path may have.
    package static func isGoogles(_ text: String) -> Bool {
        let form = /[0-9a-z.\-]+@[0-9a-z.\-]*\.gserviceaccount\.com/.matchingSemantics(.unicodeScalar)
        return text.utf8.count <= 254 && text.wholeMatch(of: form) != nil
    }

    /// Returns the project in an address such as `driver@my-project.iam.gserviceaccount.com`; nil if it names none.
    package static func project(of address: String) -> String? {
        let suffix = ".iam.gserviceaccount.com"
        guard isGoogles(address), address.hasSuffix(suffix), let at = address.firstIndex(of: "@") else { return nil }
        let project = address[address.index(after: at)...].dropLast(suffix.count)
        return project.isEmpty ? nil : String(project)
    }
}
