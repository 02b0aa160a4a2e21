package import ServiceSupport

/// The URL of a webhook: https, or http on this machine.
package struct WebhookURL: Sendable, Hashable {
    /// The URL as it was written.
    package let text: String

    /// Creates the URL of a webhook.
    ///
    /// - Throws: ``OperatorError`` that describes the problem.
    package init(_ text: String) throws(OperatorError) {
        let url: EndpointURL
        do throws(EndpointURL.Problem) {
            url = try EndpointURL(text)
        } catch {
            throw switch error {
            case .notAURL:
                OperatorError("A webhook's url must be a valid URL such as https://example.com/authorize.")
            case .userOrFragment:
                OperatorError(
                    "A webhook's url must not contain a user, password or #fragment; requests are signed instead."
                )
            }
        }
        guard url.isProtected else {
            throw OperatorError("A webhook's url must be https; http is for this machine only.")
        }
        self.text = text
    }
}
