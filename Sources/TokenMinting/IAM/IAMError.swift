package import ExpiringCache
import ServiceSupport

/// Why Google doesn't sign.
///
/// Its text is for the operator, never for a caller. It holds nothing that Google sent but the names of its errors.
package struct IAMError: FetchFailure, SignerFailure, LoggableError, Hashable {
    /// The kind of error.
    package enum Code: Hashable, Sendable {
        /// There is no response.
        case unreachable
        case timedOut
        /// The service is temporarily unavailable.
        case unavailable
        /// A quota is used up.
        case quota
        /// The access token is invalid or unavailable.
        case credentials
        /// A role or an API is missing, or the account is.
        case denied
        case malformed
    }

    package let code: Code
    /// The problem and its solution, without any part of a token or key.
    package let description: String
    /// Whether and when trying again may help.
    package let retry: FetchRetry

    init(_ code: Code, _ description: String, retry: FetchRetry = .retryable()) {
        self.code = code
        self.description = description
        self.retry = retry
    }

    var isOfKey: Bool { false }

    /// Whether trying again doesn't help until an operator acts.
    package var isPermanent: Bool { retry == .permanent }

    /// When trying again makes sense, in whole seconds, at least one.
    package var retryAfter: Int {
        switch retry {
        case .retryable(let seconds): max(1, Int((seconds ?? 1).rounded(.up)))
        // A fix by an operator takes a while.
        case .permanent: 30
        }
    }
}

extension IAMError {
    /// Creates the error for a failed or suppressed fetch of a cache.
    init(_ error: CacheError) {
        let retry = error.retryAfter.map { FetchRetry.retryable(after: $0) }
        if let reason = error.underlying as? IAMError {
            // A permanent failure stays one, however long the cache remembers it.
            self.init(
                reason.code,
                reason.description,
                retry: reason.retry == .permanent ? .permanent : retry ?? reason.retry
            )
        } else {
            self.init(.unreachable, "Google is unreachable. \(error)", retry: retry ?? .retryable())
        }
    }
}

extension IAMError {
    /// Creates the error for a refusal of `signJwt`, with the fix for an operator.
    init(signJWT status: GoogleStatus, account: String, credentials: GoogleCredentials) {
        let (code, fix): (Code, String) =
            switch status.code {
            case 400: (.denied, " for \(account). Check this machine's clock.")
            case 401:
                (
                    .credentials,
                    ": the access token of \(credentials) was rejected. Check that the account exists and is enabled."
                )
            case 403 where status.says("SERVICE_DISABLED"):
                (
                    .denied,
                    ": the IAM Service Account Credentials API is disabled. Run: gcloud services enable iamcredentials.googleapis.com"
                )
            case 403 where status.says("ACCESS_TOKEN_SCOPE_INSUFFICIENT"):
                (.credentials, ": this machine's access scopes do not include IAM. Add the scope cloud-platform.")
            case 403, 404:
                // Google responds with 403 for accounts that don't exist, too.
                (
                    .denied,
                    " for \(account). Check the address, and grant \(credentials) the role on it: gcloud iam service-accounts add-iam-policy-binding \(account) --role=roles/iam.serviceAccountTokenCreator --member=serviceAccount:CALLER"
                )
            case 429:
                (
                    .quota,
                    ": the quota of the IAM Service Account Credentials API is exhausted. Request a higher quota, or sign with a key file."
                )
            case 503: (.unavailable, ". The error is temporary.")
            case 500...599: (.unavailable, ".")
            default: (.malformed, ", which is not a documented status.")
            }
        let isTemporary = status.code == 429 || status.code == 503
        self.init(
            code,
            "Google returned \(status.text) for signJwt\(fix)",
            retry: isTemporary ? .retryable(after: status.retryAfter) : .permanent
        )
    }
}
