/// Settings that former versions had, each with what holds now.
///
/// Whoever removes a setting adds its line here, and the reason for the constant beside the constant.
enum RemovedSettings {
    /// In a path, `*` is the name of an entry, and whatever is below it.
    static let all: [(path: String, now: String)] = [
        ("service.http2", "clients may use HTTP/2 with service.tls"),
        ("kinds.*.timeoutMilliseconds", "a signature of Google's may take 5 seconds"),
        ("kinds.*.concurrency", "64 signatures are requested of Google at once"),
        ("callers.*.jwt.leewaySeconds", "clocks may be 60 seconds apart"),
        ("callers.*.jwt.refreshSeconds", "keys are fetched again after an hour"),
        ("callers.*.jwt.maxStaleSeconds", "keys are used for up to a day while fetching fails"),
        ("callers.*.jwt.required", "the service is ready without the issuer, whose own callers get 503"),
        ("webhooks.*.cacheSeconds", "the webhook decides each request"),
        ("webhooks.*.concurrency", "128 requests are sent to a webhook at once"),
        ("signing", "every token is signed by libcrypto"),
        ("limits.caller", "limits.person and limits.machine have their own rates"),
        ("limits.redis.prefix", "all keys begin with fleet-token:"),
        ("limits.redis.timeoutMilliseconds", "a call of Redis may take half a second"),
        ("limits.redis.tls.certificate", "limits.redis.passwordFile proves who the service is"),
        ("limits.redis.tls.key", "limits.redis.passwordFile proves who the service is"),
        (
            "limits.connectionsPerAddress",
            "one address may have an eighth of limits.connections, and more while more are free"
        ),
        ("limits.connectionSeconds", "a connection ends after an hour"),
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
