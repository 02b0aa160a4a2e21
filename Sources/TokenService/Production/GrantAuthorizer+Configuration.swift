package import Logging
package import ServiceConfiguration
package import TokenIssuance

extension GrantAuthorizer {
    /// Creates the authorizer of a configuration.
    ///
    /// - Parameters:
    ///   - configuration: The configuration.
    ///   - webhooks: The webhooks that grants use, by name; none to decide without them.
    ///   - logger: Logs why requests are denied, and failing webhooks.
    package convenience init(
        _ configuration: ProductionConfiguration,
        webhooks: [String: any ScopeWebhook] = [:],
        logger: Logger = Logger(label: "tokend", factory: { _ in SwiftLogNoOpLogHandler() })
    ) {
        self.init(
            grants: configuration.grants,
            privilegedKinds: Set(configuration.kinds.filter(\.value.isPrivileged).keys),
            alphabet: configuration.alphabet,
            webhooks: webhooks,
            logger: logger
        )
    }
}
