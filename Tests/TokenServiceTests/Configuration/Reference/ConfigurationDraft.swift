/// A file with everything in it, of which single settings are replaced.
struct ConfigurationDraft {
    private var settings: [(path: [String], value: String)]

    init() {
        settings = Self.everything.split(separator: "\n").map { line in
            let parts = line.split(separator: " = ", maxSplits: 1).map(String.init)
            return (Self.split(parts[0]), parts[1])
        }
    }

    /// The places where a setting can stand: each mapping that fits the names above it.
    func places(of pattern: String) -> [[String]] {
        let names = Self.split(pattern)
        var found: [[String]] = []
        for (path, _) in settings where path.count >= names.count {
            var place = path.prefix(names.count - 1).map { $0 }
            guard zip(place, names).allSatisfy({ $1 == "*" || $0 == $1 }) else { continue }
            place.append(names[names.count - 1] == "*" ? path[names.count - 1] : names[names.count - 1])
            if !found.contains(place) { found.append(place) }
        }
        return found
    }

    /// The same without the settings that are alternatives to the one at a place.
    func without(_ patterns: [String], at place: [String]) -> ConfigurationDraft {
        let names = patterns.compactMap { Self.split($0).last }
        var draft = self
        draft.settings = settings.filter { setting in
            !names.contains { setting.path.starts(with: place.dropLast() + [$0]) }
        }
        return draft
    }

    /// The file with another value at a place; nil for none.
    func with(_ value: String?, at place: [String]) -> String {
        var changed = settings.filter { !$0.path.starts(with: place) }
        let parent = Array(place.dropLast())
        if let value {
            changed.append((place, value))
        } else if !changed.contains(where: { $0.path.starts(with: parent) }) {
            changed.append((parent, "{}"))
        }
        return Self.render(changed[...], depth: 0)
    }

    private static func render(_ settings: ArraySlice<(path: [String], value: String)>, depth: Int) -> String {
        var names: [String] = []
        for (path, _) in settings where !names.contains(path[depth]) { names.append(path[depth]) }
        let entries = names.map { name in
            let inner = settings.filter { $0.path[depth] == name }
            let value = inner[0].path.count == depth + 1 ? inner[0].value : render(inner[...], depth: depth + 1)
            return "\"\(name)\": \(value)"
        }
        return "{\(entries.joined(separator: ", "))}"
    }

    private static func split(_ path: String) -> [String] { path.split(separator: ".").map(String.init) }

    private static let everything = """
        version = 1
        service.tls.certificate = a
        service.tls.key = a
        admin.listen = "127.0.0.1:1"
        kinds.driver.serviceAccount = a
        kinds.delivery_task.iam = a@b.iam.gserviceaccount.com
        callers.a.firebase.project = a
        callers.b.googleServiceAccount.email = a@b.iam.gserviceaccount.com
        callers.b.googleServiceAccount.audience = a
        callers.c.apiKeys.file = a
        callers.e.jwt.issuer = a
        callers.e.jwt.audiences = [a]
        callers.e.jwt.algorithms = [RS256]
        callers.e.jwt.keysUrl = https://a.example
        callers.e.jwt.requiredClaims.a = a
        callers.f.jwt.issuer = a
        callers.f.jwt.audiences = [a]
        callers.f.jwt.algorithms = [RS256]
        callers.f.jwt.keysFile = a
        callers.g.jwt.issuer = https://a.example
        callers.g.jwt.audiences = [a]
        callers.g.jwt.algorithms = [RS256]
        grants.a.callers = [a]
        grants.a.kinds = [driver]
        grants.a.ids = any
        grants.a.claims.a = a
        grants.b.callers = [a]
        grants.b.kinds = [driver]
        grants.b.ids.pattern = a
        grants.c.callers = [a]
        grants.c.kinds = [driver]
        grants.c.ids.webhook = a
        webhooks.a.url = https://a.example
        webhooks.a.secretFile = a
        limits.perUser.perMinute = 1
        limits.perUser.burst = 1
        limits.perClient.perMinute = 1
        limits.perClient.burst = 1
        limits.failuresPerAddress.perMinute = 1
        limits.failuresPerAddress.burst = 1
        audit.file = a
        log.level = info
        """
}
