import ExpiringCache

extension IAMError {
    /// What a refusal of `signJwt` means, and what an operator does about it.
    init(signJWT status: GoogleStatus, account: String, credentials: GoogleCredentials) {
        let answer = "Google answers signJwt with \(status.text)"
        switch status.code {
        case 400:
            self.init(
                .denied,
                "\(answer) for \(account). If this machine's clock is wrong, so are the times in its tokens: set it.",
                retry: .permanent
            )
        case 401:
            self.init(
                .credentials,
                "\(answer): it does not take the access token of \(credentials). Check that the account exists and is enabled.",
                retry: .permanent
            )
        case 403 where status.says("SERVICE_DISABLED"):
            self.init(
                .denied,
                "\(answer): the IAM Service Account Credentials API is off. Run: gcloud services enable iamcredentials.googleapis.com",
                retry: .permanent
            )
        case 403 where status.says("ACCESS_TOKEN_SCOPE_INSUFFICIENT"):
            self.init(
                .credentials,
                "\(answer): this machine's access scopes don't cover IAM. Give it the scope cloud-platform.",
                retry: .permanent
            )
        case 403, 404:
            // Google answers with 403 for accounts that don't exist, too.
            self.init(
                .denied,
                "\(answer) for \(account). Check the address, and give \(credentials) the role on it: gcloud iam service-accounts add-iam-policy-binding \(account) --role=roles/iam.serviceAccountTokenCreator --member=serviceAccount:CALLER",
                retry: .permanent
            )
        case 429:
            self.init(
                .quota,
                "\(answer): the quota of the IAM Service Account Credentials API is used up. Ask Google for more, or sign with a key file.",
                retry: .retryable(after: status.retryAfter)
            )
        case 503:
            self.init(
                .unavailable,
                "\(answer). It says that it will pass.",
                retry: .retryable(after: status.retryAfter)
            )
        case 500...599:
            self.init(.unavailable, "\(answer).", retry: .permanent)
        default:
            self.init(.malformed, "\(answer), which is none of those that it documents.", retry: .permanent)
        }
    }
}
