package import JOSE
package import ServiceSupport

/// Why an issuer's keys could not be fetched.
package enum KeySetFetchError: RefreshFailure, Hashable {
    /// There is no response.
    case noResponse(from: KeySetURL, OutgoingError)
    /// The status is not 200; a retry makes sense after the seconds, if the issuer says so.
    case status(Int, from: KeySetURL, retryAfter: Double?)
    /// The body has a content coding, such as gzip, that was not requested.
    case encoded(String, from: KeySetURL)
    /// The provider's configuration document cannot be used, for this reason.
    case invalidDocument(String)
    /// The key set cannot be used.
    case invalidKeys(JOSEError)
    /// A file cannot be used, for this reason.
    case unreadableFile(String)

    /// The time after which to retry, if the issuer says so.
    package var retryAfter: Duration? {
        guard case .status(_, _, let seconds?) = self else { return nil }
        // More than any pause, and safe to convert.
        return .seconds(min(seconds, 86_400))
    }
}

extension KeySetFetchError: LoggableError {
    /// A description of the problem, for the operator.
    package var description: String {
        switch self {
        case .noResponse(_, .tooLarge): "The response is larger than 256 KiB."
        case .noResponse(_, let error): "Fetching failed: \(error)."
        case .status(let status, _, _): "The response has status \(status) instead of 200."
        case .encoded(let coding, _):
            "The response has a content coding (\(coding)) although Accept-Encoding was identity. Turn off compression for this URL."
        case .invalidDocument(let reason), .unreadableFile(let reason): reason
        case .invalidKeys(let error): error.description
        }
    }
}
