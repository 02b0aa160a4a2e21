/// Where a webhook is: an https URL, or an http one on this machine.
package struct WebhookURL: Sendable, Hashable {
    /// The URL as it was written.
    package let text: String

    /// Creates the URL of a webhook.
    ///
    /// - Throws: ``ConfigurationError`` that says what is wrong with it.
    package init(_ text: String) throws(ConfigurationError) {
        let url: EndpointURL
        do throws(EndpointURL.Problem) {
            url = try EndpointURL(text)
        } catch {
            throw switch error {
            case .notAURL: ConfigurationError("A webhook's url must be a URL such as https://example.com/authorize.")
            case .userOrFragment:
                ConfigurationError("A webhook's url has no user, password or #fragment: requests are signed instead.")
            }
        }
        guard url.scheme == "https" || url.scheme == "http" && url.isLoopback else {
            throw ConfigurationError("A webhook's url must be https; http is for this machine only.")
        }
        self.text = text
    }
}
