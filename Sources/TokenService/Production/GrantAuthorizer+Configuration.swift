package import Logging
package import ServiceConfiguration
package import TokenIssuance

extension RequestRules {
    /// Creates the rules of a configuration.
    package init(_ configuration: ProductionConfiguration) {
        self.init(alphabet: configuration.alphabet)
    }
}

extension GrantAuthorizer {
    /// Creates the authorizer of a configuration.
    ///
    /// - Parameters:
    ///   - configuration: The configuration.
    ///   - webhooks: The webhooks that grants use, by name; none to decide without them.
    ///   - logger: Logs why requests are denied, and failing webhooks.
    package convenience init(
        _ configuration: ProductionConfiguration,
        webhooks: [String: AuthorizationWebhook.Decision] = [:],
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
