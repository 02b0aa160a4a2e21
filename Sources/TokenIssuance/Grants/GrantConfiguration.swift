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

extension GrantConfiguration {
    /// Gives everybody everything: for development, whose tokens Google rejects.
    package static let development = Self(
        name: "development",
        callers: [Caller.anonymous.name],
        kinds: TokenKind.allCases,
        ids: .any,
        tasks: .any
    )
}

// MARK: - Reading

extension GrantConfiguration {
    /// Creates the configuration by reading a grant's settings.
    package init?(name: String, _ section: ConfigurationSection) {
        let callers = section.required("callers")?.nonEmptyList().compactMap { $0.name() }
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
