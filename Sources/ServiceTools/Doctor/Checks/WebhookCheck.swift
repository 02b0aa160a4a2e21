import ServiceConfiguration

/// Checks whether a webhook is reachable, without sending a request.
struct WebhookCheck {
    let network: any DoctorNetwork

    func finding(_ webhook: WebhookConfiguration) async -> Finding {
        let subject = "webhooks.\(webhook.name)"
        do throws(ProbeFailure) {
            try await network.connect(to: webhook.url)
            return Finding(.ok, subject: subject, "\(webhook.url) is reachable.")
        } catch {
            return Finding(
                .fail,
                subject: subject,
                "\(webhook.url) is unreachable: \(error). Requests that it decides are denied until it is reachable."
            )
        }
    }
}
