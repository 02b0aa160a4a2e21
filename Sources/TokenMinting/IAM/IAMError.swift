package import ExpiringCache
import FleetToken
package import ServiceSupport
import StrictCoding
import Timing

/// Why Google doesn't sign.
///
/// Its text is for the operator, never for a caller. It holds nothing that Google sent but the names of its errors.
package struct IAMError: FetchFailure, SignerFailure, LoggableError, Hashable {
    /// The problem and its solution, without any part of a token or key.
    package let description: String
    /// Whether and when trying again may help.
    package private(set) var retry: FetchRetry

    init(_ description: String, retry: FetchRetry = .retryable()) {
        self.description = description
        self.retry = retry
    }

    /// Returns an error that only an operator can fix.
    static func permanent(_ description: String) -> Self { Self(description, retry: .permanent) }

    /// Returns an error after which trying again may help, in so many seconds if Google said that.
    static func temporary(_ description: String, after seconds: Seconds?) -> Self {
        Self(description, retry: .retryable(after: seconds))
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
        let reason = error.underlying as? IAMError ?? IAMError("Google is unreachable. \(error)")
        self = error.retryAfter.map(reason.retryable) ?? reason
    }

    /// Returns the error with another time to retry; a permanent failure stays one.
    func retryable(after seconds: Seconds) -> IAMError {
        var error = self
        if !isPermanent { error.retry = .retryable(after: seconds) }
        return error
    }

    /// Creates the error for a refusal of `signJwt`, with the fix for an operator.
    init(signJWT status: GoogleStatus, account: String, credentials: ServiceAccount?) {
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
                " for \(account). Check the address, and grant \(caller) the role on it: gcloud iam service-accounts add-iam-policy-binding \(account) --role=roles/iam.serviceAccountTokenCreator --member=serviceAccount:CALLER"
            case 429:
                ": the quota of the IAM Service Account Credentials API is exhausted. Request a higher quota, or sign with a key file."
            case 503: ". The error is temporary."
            case 500...599: "."
            default: ", which is not a documented status."
            }
        let isTemporary = status.code == 429 || status.code == 503
        self.init(
            "Google returned \(status.text) for signJwt\(fix)",
            retry: isTemporary ? .retryable(after: status.retryAfter) : .permanent
        )
    }
}

/// Google's status for a refused request: the names of its error, from a small vocabulary.
///
/// The message is ignored. It may repeat the request, and tells an operator no more than the names.
package struct GoogleStatus {
    package let code: Int
    /// The names: `google.rpc`'s status and the reasons in `details`, or OAuth's error.
    package let names: [String]
    let retryAfter: Seconds?

    package init(_ response: OutgoingResponse) {
        code = response.status
        names = Self.names(in: response.body.reveal())
        retryAfter = response.retryAfter(maximum: Self.longestPause)
    }

    /// The maximum pause that a response can request: five minutes.
    private static let longestPause: Seconds = 300

    private static func names(in body: [UInt8]) -> [String] {
        guard let error = try? JSONParser.parseObject(body)["error"] else { return [] }
        var names = [error.stringValue, error.objectValue?["status"]?.stringValue]
        for detail in error.objectValue?["details"]?.arrayValue?.prefix(8) ?? [] {
            names.append(detail.objectValue?["reason"]?.stringValue)
        }
        return names.compactMap { $0 }.filter(isName)
    }

    private static func isName(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { $0.isASCIILetter || $0 == UInt8(ascii: "_") }
    }

    /// Returns whether one of the names equals this one.
    package func says(_ name: String) -> Bool {
        names.contains { $0.hasSameBytes(as: name) }
    }

    /// The status code and the names, for the operator.
    package var text: String {
        names.isEmpty ? "status \(code)" : "status \(code), \(names.joined(separator: ", "))"
    }
}
