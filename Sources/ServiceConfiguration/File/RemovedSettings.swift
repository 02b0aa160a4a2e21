/// Settings that former versions had, each with what holds now.
///
/// Whoever removes a setting adds its line here, and the reason for the constant beside the constant.
enum RemovedSettings {
    /// In a path, `*` is the name of an entry, and whatever is below it.
    static let all: [(path: String, now: String)] = [
        ("signing", "every token is signed by libcrypto")
    ]

    /// Returns the message for a setting that is no longer one; nil for others.
    static func message(for path: String) -> String? {
        let parts = path.split(separator: ".")
        return all.first { removed in
            let names = removed.path.split(separator: ".")
            guard let star = names.firstIndex(of: "*") else { return names == parts }
            let (before, after) = (names[..<star], names[(star + 1)...])
            return parts.count >= names.count && parts.starts(with: before) && parts.suffix(after.count) == after
        }
        .map { "is no longer a setting: \($0.now). Remove this line." }
    }
}
