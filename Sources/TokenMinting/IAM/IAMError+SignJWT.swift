import ExpiringCache

extension IAMError {
    /// Creates the error for a refusal of `signJwt`, with the fix for an operator.
    init(signJWT status: GoogleStatus, account: String, credentials: GoogleCredentials) {
        let response = "Google returned \(status.text) for signJwt"
        switch status.code {
        case 400:
            self.init(
                .denied,
                "\(response) for \(account). Check this machine's clock.",
                retry: .permanent
            )
        case 401:
            self.init(
                .credentials,
                "\(response): the access token of \(credentials) was rejected. Check that the account exists and is enabled.",
                retry: .permanent
            )
        case 403 where status.says("SERVICE_DISABLED"):
            self.init(
                .denied,
                "\(response): the IAM Service Account Credentials API is disabled. Run: gcloud services enable iamcredentials.googleapis.com",
                retry: .permanent
            )
        case 403 where status.says("ACCESS_TOKEN_SCOPE_INSUFFICIENT"):
            self.init(
                .credentials,
                "\(response): this machine's access scopes do not include IAM. Add the scope cloud-platform.",
                retry: .permanent
            )
        case 403, 404:
            // Google responds with 403 for accounts that don't exist, too.
            self.init(
                .denied,
                "\(response) for \(account). Check the address, and grant \(credentials) the role on it: gcloud iam service-accounts add-iam-policy-binding \(account) --role=roles/iam.serviceAccountTokenCreator --member=serviceAccount:CALLER",
                retry: .permanent
            )
        case 429:
            self.init(
                .quota,
                "\(response): the quota of the IAM Service Account Credentials API is exhausted. Request a higher quota, or sign with a key file.",
                retry: .retryable(after: status.retryAfter)
            )
        case 503:
            self.init(
                .unavailable,
                "\(response). The error is temporary.",
                retry: .retryable(after: status.retryAfter)
            )
        case 500...599:
            self.init(.unavailable, "\(response).", retry: .permanent)
        default:
            self.init(.malformed, "\(response), which is not a documented status.", retry: .permanent)
        }
    }
}
