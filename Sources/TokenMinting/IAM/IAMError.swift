import FleetToken
import ServiceSupport

/// Why Google doesn't sign.
///
/// Its text is for the operator, never for a caller. It holds nothing that Google sent but the names of its errors.
package struct IAMError: LoggableError, RefreshFailure, Hashable {
    /// Whether trying again may help, and after which time if Google said that.
    package enum Retry: Hashable, Sendable {
        case retryable(after: Duration? = nil)
        case permanent
    }

    /// The problem and its solution, without any part of a token or key.
    package let description: String
    /// Whether and when trying again may help.
    package private(set) var retry: Retry

    init(_ description: String, retry: Retry = .retryable()) {
        self.description = description
        self.retry = retry
    }

    /// Returns an error that only an operator can fix.
    static func permanent(_ description: String) -> Self { Self(description, retry: .permanent) }

    /// Returns an error after which trying again may help, in so long if Google said that.
    static func temporary(_ description: String, after time: Duration?) -> Self {
        Self(description, retry: .retryable(after: time))
    }

    /// Whether trying again doesn't help until an operator acts.
    package var isPermanent: Bool { retry == .permanent }

    /// The time after which Google asks to try again; nil if it says nothing.
    package var retryAfter: Duration? {
        if case .retryable(let time) = retry { time } else { nil }
    }

    /// When a client should retry, in whole seconds, at least one.
    package var retrySeconds: Int {
        // A fix by an operator takes a while.
        isPermanent ? 30 : max(1, Int(((retryAfter ?? .zero) / .seconds(1)).rounded(.up)))
    }
}

extension IAMError {
    /// Returns the error with another time to retry; a permanent failure stays one.
    func retryable(after time: Duration) -> IAMError {
        var error = self
        if !isPermanent { error.retry = .retryable(after: time) }
        return error
    }

    /// Creates the error for a refusal of `signJwt`, with the fix for an operator.
    ///
    /// - Parameters:
    ///   - status: The refusal.
    ///   - account: The account that was to sign.
    ///   - credentials: The account that asked, if it has a key file.
    ///   - member: How IAM names this machine, which asked without a key file; nil if that is not known.
    init(signJWT status: GoogleStatus, account: String, credentials: ServiceAccount?, member: String?) {
        let caller = credentials?.email ?? "this machine's service account"
        let fix =
            switch status.code {
            case 400: " for \(account). Check this machine's clock."
            case 401: ": the access token of \(caller) was rejected. Check that the account exists and is enabled."
            case 403 where status.says("SERVICE_DISABLED"):
                ": the IAM Service Account Credentials API is disabled. Run: gcloud services enable iamcredentials.googleapis.com"
            case 403 where status.says("ACCESS_TOKEN_SCOPE_INSUFFICIENT"):
                ": this machine's access scopes do not include IAM. Add the scope cloud-platform."
            case 403, 404:
                // Google responds with 403 for accounts that don't exist, too.
                " for \(account). Check the address, and let \(caller) sign with it: \(SigningRole.binding(to: credentials.map { "serviceAccount:\($0.email)" } ?? member ?? "serviceAccount:CALLER", on: account))"
            case 429:
                ": the quota of the IAM Service Account Credentials API is exhausted. Request a higher quota, or sign with a key file."
            case 500...599: ". The error is temporary."
            default: ", which is not a documented status."
            }
        let isTemporary = status.code == 429 || (500...599).contains(status.code)
        self.init(
            "Google returned \(status.text) for signJwt\(fix)",
            retry: isTemporary ? .retryable(after: status.retryAfter) : .permanent
        )
    }
}
