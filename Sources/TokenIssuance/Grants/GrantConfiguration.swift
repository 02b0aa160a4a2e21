package import FleetToken
package import ServiceSupport

/// One rule of who may have what.
///
/// A request needs one grant that allows all of it.
package struct GrantConfiguration: Sendable {
    /// Its name, for the audit trail.
    package var name: String
    package var callers: [String]
    /// The required claims of a caller.
    package var conditions: [ClaimCondition] = []
    package var kinds: [TokenKind]
    /// The resources that it allows.
    package var ids: IDRule
    /// The tasks that a trusted driver's token may name beside the vehicle; nil allows none.
    package var tasks: IDRule?
}

/// Which IDs a grant allows.
package enum IDRule: Sendable {
    /// The value of a caller's claim: a string, or a list of strings. A dot leads into an object.
    case claim(path: [String])
    /// These, and no others.
    case list([ResourceID])
    /// Those that match one of these.
    case patterns([IDPattern])
    /// All; and, with a privileged kind, everything at once.
    case any
    /// Those that a webhook allows.
    case webhook(name: String)
}

// MARK: - Reading

extension GrantConfiguration {
    /// Creates the configuration by reading a grant's settings.
    package init?(name: String, _ section: ConfigurationSection) {
        let callers = section.required("callers")?.texts()
        let conditions = section["claims"]?.conditions() ?? []
        let kinds = section.required("kinds")?.nonEmptyList().compactMap { $0.choice(TokenKind.self) }
        let ids = section.required("ids").flatMap { IDRule($0) }
        let tasks = section["tasks"].flatMap { IDRule($0) }
        guard let callers, let kinds, let ids else { return nil }
        self.init(
            name: name,
            callers: callers,
            conditions: conditions,
            kinds: kinds,
            ids: ids,
            tasks: tasks
        )
    }
}

extension IDRule {
    /// Creates a rule from `any`, `"{claims.NAME}"`, a list of IDs, `{pattern: …}` or `{webhook: …}`.
    fileprivate init?(_ value: ConfigurationValue) {
        if value.isList {
            self = .list(value.nonEmptyList().compactMap { $0.resourceID() })
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
        guard name == "pattern" else { return value.text().map { .webhook(name: $0) } }
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
