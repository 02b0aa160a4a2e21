package import ServiceConfiguration
package import TokenMinting

extension IAMSigner {
    /// Creates the signer of a configuration.
    package init(
        _ configuration: IAMConfiguration,
        credentials: GoogleCredentials,
        client: GoogleClient
    ) throws(MintingError) {
        try self.init(
            account: configuration.account,
            credentials: credentials,
            timeout: Double(configuration.timeout) / 1000,
            client: client
        )
    }
}
