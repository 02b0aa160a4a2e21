/// Settings that former versions had, each with what holds now.
///
/// Whoever removes a setting adds its line here, and the reason for the constant beside the constant.
enum RemovedSettings {
    /// In a path, `*` is the name of an entry, and whatever is below it.
    static let all: [(path: String, now: String)] = [
        ("kinds.*.timeoutMilliseconds", "a signature of Google's may take 5 seconds"),
        ("kinds.*.concurrency", "64 signatures are requested of Google at once"),
        ("callers.*.jwt.leewaySeconds", "clocks may be 60 seconds apart"),
        ("callers.*.jwt.refreshSeconds", "keys are fetched again after an hour"),
        ("callers.*.jwt.maxStaleSeconds", "keys are used for up to a day while fetching fails"),
        ("webhooks.*.concurrency", "128 requests are sent to a webhook at once"),
        ("signing", "every token is signed by libcrypto"),
        ("limits.vehicles", "the guide to scale says which limits a fleet needs"),
        ("limits.waitMilliseconds", "a request waits for its signature for up to a second"),
        ("limits.signatures", "10,000 requests are signed or wait at most"),
        ("audit.timeoutSeconds", "a request waits for its line for three seconds"),
        ("audit.stdout", "without audit.file, lines go to standard output"),
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
