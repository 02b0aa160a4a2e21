import FleetToken
import StrictCoding

extension GrantConfiguration {
    init?(name: String, _ value: ConfigurationValue, alphabet: ResourceID.Alphabet) {
        let grant = value.section { section -> GrantConfiguration? in
            let callers = section.required("callers")?.texts()
            let conditions = section["claims"]?.conditions() ?? []
            let kinds = section.required("kinds")?.nonEmptyList().compactMap { $0.choice(TokenKind.self) }
            let ids = section.required("ids").flatMap { IDRule($0, alphabet: alphabet) }
            let tasks = section["tasks"].flatMap { IDRule($0, alphabet: alphabet) }
            let isPrivileged = section["privileged"]?.bool() ?? false
            guard let callers, let kinds, let ids else { return nil }
            return GrantConfiguration(
                name: name,
                callers: callers,
                conditions: conditions,
                kinds: kinds,
                ids: ids,
                tasks: tasks,
                isPrivileged: isPrivileged
            )
        }
        guard let grant else { return nil }
        self = grant
    }
}

extension ConfigurationValue {
    /// Claims and the values that they must have.
    func conditions() -> [ClaimCondition] {
        entries().compactMap { name, value in
            let path = name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
            guard !path.contains(where: \.isEmpty) else {
                value.report("is not a valid claim name: names are separated by single dots.")
                return nil
            }
            return value.claimValue().map {
                ClaimCondition(path: path.map { String(decoding: $0, as: UTF8.self) }, value: $0)
            }
        }
    }
}

extension IDRule {
    /// Creates a rule from `any`, `"{claims.NAME}"`, a list of IDs, `{pattern: …}` or `{webhook: …}`.
    fileprivate init?(_ value: ConfigurationValue, alphabet: ResourceID.Alphabet) {
        if value.isList {
            self = .list(
                value.nonEmptyList().compactMap { $0.resourceID(alphabet) }
            )
        } else if let name = value.claimWithoutQuotes {
            value.report("must be in quotes: \"{\(name)}\". Without them, YAML reads a mapping.")
            return nil
        } else if value.isMapping {
            guard let rule = value.section({ Self.rule($0, alphabet) }) else { return nil }
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

    private static func rule(_ section: ConfigurationSection, _ alphabet: ResourceID.Alphabet) -> IDRule? {
        guard let (name, value) = section.oneOf(["pattern", "webhook"]) else { return nil }
        guard name == "pattern" else { return value.text().map { .webhook(name: $0) } }
        let values = value.isList ? value.nonEmptyList() : [value]
        let patterns = values.compactMap { $0.idPattern(alphabet) }
        return patterns.isEmpty ? nil : .patterns(patterns)
    }

    /// Returns the claim that `{claims.a.b}` names, if that is the whole text.
    private static func claimPath(_ text: String) -> [String]? {
        guard text.utf8.starts(with: "{claims.".utf8), text.utf8.last == UInt8(ascii: "}") else { return nil }
        let path = text.utf8.dropFirst("{claims.".utf8.count).dropLast()
        let names = path.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard names.allSatisfy({ !$0.isEmpty }),
            !path.contains(where: { $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "}") })
        else { return nil }
        return names.map { String(decoding: $0, as: UTF8.self) }
    }
}

extension WebhookConfiguration {
    init?(name: String, _ value: ConfigurationValue) {
        let webhook = value.section { section -> WebhookConfiguration? in
            let url = section.required("url")?.webhookURL()
            let secretFile = section.required("secretFile")?.file()
            let timeout = section["timeoutMilliseconds"]?.integer(50...10_000) ?? 1500
            let claims = section["claims"]?.distinctTexts() ?? []
            guard let url, let secretFile else { return nil }
            return WebhookConfiguration(
                name: name,
                url: url,
                secretFile: secretFile,
                timeout: timeout,
                claims: claims
            )
        }
        guard let webhook else { return nil }
        self = webhook
    }
}
