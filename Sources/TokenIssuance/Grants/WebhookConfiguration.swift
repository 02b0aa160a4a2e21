package import ServiceSupport

/// A service that decides whether a caller may have a token.
package struct WebhookConfiguration: Sendable, Hashable {
    package var name: String
    package var url: WebhookURL
    /// The file with the secret that signs requests.
    package var secretFile: String
    /// The maximum number of concurrent requests: at 50 milliseconds each, 2,500 a second.
    ///
    /// A caller alone can use half.
    package static let concurrency = 128
    /// The caller's claims to send.
    package var claims: [String] = []
}

extension WebhookConfiguration {
    /// Creates the configuration by reading a webhook's settings.
    package init?(name: String, _ section: ConfigurationSection) {
        let url = section.required("url")?.checked { text throws(OperatorError) in try WebhookURL(text) }
        let secretFile = section.required("secretFile")?.file()
        let claims = section["claims"]?.distinctTexts() ?? []
        guard let url, let secretFile else { return nil }
        self.init(name: name, url: url, secretFile: secretFile, claims: claims)
    }
}
