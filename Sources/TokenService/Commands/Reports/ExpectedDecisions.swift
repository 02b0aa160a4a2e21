import FleetToken
import ServiceSupport
import TokenIssuance

/// A file of decisions that an operator expects, for their CI: a YAML list.
///
/// ```yaml
/// - {caller: app, claims: {vehicle_id: v1}, kind: driver, id: v1, expect: allowed}
/// - {caller: app, claims: {vehicle_id: v1}, kind: driver, id: v2, expect: denied}
/// - {caller: app, kind: consumer, id: trip-1, expect: needsWebhook}
/// ```
package struct ExpectedDecisions {
    /// The expected outcome.
    package enum Outcome: String, CaseIterable, Sendable {
        case allowed
        case denied
        /// The decision depends on a webhook, which is not called.
        case needsWebhook
    }

    /// One request and its expected outcome.
    struct Entry {
        let value: ConfigurationValue
        let caller: Caller
        let scope: TokenScope
        let expected: Outcome
    }

    private(set) var entries: [Entry] = []
    let problems = ConfigurationProblems()

    init(yaml: [UInt8], configuration: ProductionConfiguration) {
        guard let root = ConfigurationText.parse(yaml, problems) else { return }
        for value in root.nonEmptyList() {
            let entry = value.section { Self.entry($0, value, configuration: configuration) }
            if let entry { entries.append(entry) }
        }
    }

    private static func entry(
        _ section: ConfigurationSection,
        _ value: ConfigurationValue,
        configuration: ProductionConfiguration
    ) -> Entry? {
        let name = section.required("caller")?.text()
        // Invalid claims must not be replaced by none: the resulting denial might be the expected one.
        let claims = section["claims"].map { $0.object() } ?? JSONObject()
        let kind = section.required("kind")?.choice(TokenKind.self)
        let idValue = section["id"]
        let id = idValue?.text()
        let taskID = section["taskId"]?.text()
        let taskIDs = (section["taskIds"]?.texts() ?? []) + (taskID.map { [$0] } ?? [])
        let expected = section.required("expect")?.choice(Outcome.self)
        guard let name, let claims, let kind, let expected, id != nil || idValue == nil else { return nil }
        guard let caller = configuration.caller(named: name, claims: claims) else {
            section.report("caller names \(name), which is not defined under callers.")
            return nil
        }
        do throws(TokenError) {
            let scope = try TokenScope(kind: kind, id: id, taskIDs: taskIDs)
            return Entry(value: value, caller: caller, scope: scope, expected: expected)
        } catch {
            section.report(error.message)
            return nil
        }
    }
}

extension ProductionConfiguration {
    /// Returns a caller as after authentication, for testing grants.
    func caller(named name: String, claims: JSONObject) -> Caller? {
        guard let caller = callers.first(where: { $0.name.hasSameBytes(as: name) }) else { return nil }
        return Caller(
            method: caller.hasClaims ? .jwt : .apiKey,
            name: caller.name,
            subject: claims["sub"]?.stringValue ?? "",
            claims: claims,
            rateLimit: caller.rateLimit,
            isAdmin: caller.isAdmin
        )
    }
}
