package import ServiceSupport

/// One kind of token on offer.
package struct KindConfiguration: Sendable, Hashable {
    /// The account that signs.
    package var account: AccountConfiguration
    /// Whether the operator enabled tokens with access to everything.
    package var isPrivileged: Bool

    package init(account: AccountConfiguration, isPrivileged: Bool = false) {
        self.account = account
        self.isPrivileged = isPrivileged
    }

    /// Creates the configuration by reading a kind's settings.
    package init?(_ section: ConfigurationSection) {
        let isPrivileged = section["privileged"]?.bool() ?? false
        guard let account = AccountConfiguration(section) else { return nil }
        self.init(account: account, isPrivileged: isPrivileged)
    }
}
