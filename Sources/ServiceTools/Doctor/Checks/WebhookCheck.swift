import ServiceConfiguration

/// Looks whether a webhook is there; it is asked nothing.
struct WebhookCheck {
    let network: any DoctorNetwork

    func finding(_ webhook: WebhookConfiguration) async -> Finding {
        let subject = "webhooks.\(webhook.name)"
        do throws(ProbeFailure) {
            try await network.connect(to: webhook.url)
            return Finding(.ok, subject, "\(webhook.url) can be reached.")
        } catch {
            return Finding(
                .fail,
                subject,
                "\(webhook.url) cannot be reached: \(error). What it decides is denied until then."
            )
        }
    }
}
