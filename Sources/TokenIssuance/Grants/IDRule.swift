package import FleetToken
import ServiceSupport

/// Which IDs a grant allows.
package enum IDRule: Sendable {
    /// The value of a caller's claim: a string, or a list of strings. A dot leads into an object.
    case claim(path: [String])
    /// These, and no others.
    case list(Set<ResourceID>)
    /// Those that match one of these.
    case patterns([IDPattern])
    /// All; and, with a privileged kind, everything at once.
    case any
    /// Those that a webhook allows.
    case webhook(name: String)
}

extension IDRule {
    /// The webhook that decides.
    package var webhook: String? {
        if case .webhook(let name) = self { name } else { nil }
    }

    /// Checks that the rule allows all IDs, except for webhooks.
    func check(
        _ ids: some Sequence<ResourceID>,
        of caller: Caller
    ) throws(DenialReason) {
        switch self {
        case .claim(let path):
            guard let granted = caller.claims.ids(at: path) else { throw .claim(path: path) }
            try Self.check(ids) { granted.contains($0) }
        case .list(let granted): try Self.check(ids) { granted.contains($0) }
        case .patterns(let patterns): try Self.check(ids) { id in patterns.contains { $0.matches(id) } }
        case .any, .webhook: break
        }
    }

    private static func check(
        _ ids: some Sequence<ResourceID>,
        isGranted: (ResourceID) -> Bool
    ) throws(DenialReason) {
        for id in ids where !isGranted(id) { throw .id(id) }
    }
}

extension JSONObject {
    /// Returns the IDs in a claim: one string, or an array of strings.
    ///
    /// - Returns: nil if the claim is missing or has another type, or if one of its strings is not a valid ID. Such a
    ///   string may be a `*` or contain a `/`, whose meaning this service cannot know.
    func ids(at path: [String]) -> [ResourceID]? {
        guard let value = claim(at: path) else { return nil }
        let values = value.arrayValue ?? [value]
        let ids = values.compactMap { value in
            value.stringValue.flatMap { try? ResourceID($0) }
        }
        return ids.count == values.count ? ids : nil
    }
}

// MARK: - Reading

extension IDRule {
    /// Creates a rule from `any`, `"{claims.NAME}"`, a list of IDs, `{pattern: …}` or `{webhook: …}`.
    init?(_ value: ConfigurationValue) {
        if value.isList {
            self = .list(Set(value.nonEmptyList().compactMap { $0.resourceID() }))
        } else if let name = value.claimWithoutQuotes {
            value.report("must be in quotes: \"{\(name)}\". Without them, YAML reads a mapping.")
            return nil
        } else if value.isMapping {
            guard let rule = value.section({ Self.rule($0) }) else { return nil }
            self = rule
        } else {
            guard let text = value.text() else { return nil }
            if text.hasSameBytes(as: "any") {
                self = .any
            } else if let path = Self.claimPath(text) {
                self = .claim(path: path)
            } else {
                value.report(#"must be any, "{claims.NAME}", a list of IDs, {pattern: …} or {webhook: …}."#)
                return nil
            }
        }
    }

    private static func rule(_ section: ConfigurationSection) -> IDRule? {
        guard let (name, value) = section.oneOf(["pattern", "webhook"]) else { return nil }
        guard name == "pattern" else { return value.name().map { .webhook(name: $0) } }
        let values = value.isList ? value.nonEmptyList() : [value]
        let patterns = values.compactMap { value in
            value.checked { text throws(OperatorError) in try IDPattern(text) }
        }
        return patterns.isEmpty ? nil : .patterns(patterns)
    }

    /// Returns the claim that `{claims.a.b}` names, if that is the whole text.
    private static func claimPath(_ text: String) -> [String]? {
        guard text.utf8.starts(with: "{claims.".utf8), text.utf8.last == UInt8(ascii: "}") else { return nil }
        let path = text.utf8.dropFirst("{claims.".utf8.count).dropLast()
        return path.contains(where: "{}".utf8.contains) ? nil : ClaimCondition.path(path)
    }
}

extension ConfigurationValue {
    fileprivate func resourceID() -> ResourceID? {
        guard let text = text() else { return nil }
        do throws(TokenError) {
            return try ResourceID(text)
        } catch {
            report(error.message)
            return nil
        }
    }
}
