package import FleetToken
package import ServiceConfiguration

/// One kind of token on offer.
package struct KindConfiguration: Sendable, Hashable {
    /// The current signer.
    package var account: AccountConfiguration
    /// The next signer; its key may not exist yet.
    package var next: Next?
    /// The previous signer; its key may not exist any more.
    package var previous: AccountConfiguration?
    /// Whether the operator enabled tokens with access to everything.
    package var isPrivileged: Bool

    /// The accounts of all keys.
    package var accounts: [AccountConfiguration] { [account, next?.account, previous].compactMap(\.self) }

    /// A key that will sign.
    package struct Next: Sendable, Hashable {
        /// The key.
        package var account: AccountConfiguration
        /// When it starts signing; nil if the files are moved manually.
        package var from: NumericDate?
    }
}

extension KindConfiguration {
    /// Creates the configuration by reading a kind's settings.
    package init?(_ section: ConfigurationSection) {
        let isPrivileged = section["privileged"]?.bool() ?? false
        let account = AccountConfiguration(section)
        let next = section["next"]?.section { section -> Next? in
            let from = section["from"]?.time()
            return AccountConfiguration(section).map { Next(account: $0, from: from) }
        }
        let previous = section["previous"]?.section { AccountConfiguration($0) }
        guard let account else { return nil }
        self.init(account: account, next: next, previous: previous, isPrivileged: isPrivileged)
    }
}
