package import ServiceConfiguration
package import ServiceSupport

/// Why an issuer's keys could not be fetched.
package enum KeySetFetchError: Error, Hashable {
    /// There is no response.
    case noResponse(from: KeySetURL, OutgoingError)
    /// The status is not 200; a retry makes sense after the seconds, if the issuer says so.
    case status(Int, from: KeySetURL, retryAfter: Double?)
    /// The provider's configuration document cannot be used, for this reason.
    case invalidDocument(String)

    /// The seconds after which to retry, if the issuer says so.
    var retryAfter: Double? {
        if case .status(_, _, let seconds) = self { seconds } else { nil }
    }
}

extension KeySetFetchError: CustomStringConvertible {
    /// A description of the problem, for the operator.
    package var description: String {
        switch self {
        case .noResponse(_, .tooLarge): "The response is larger than 256 KiB."
        case .noResponse(_, let error): "Fetching failed: \(error)."
        case .status(let status, _, _): "The response has status \(status) instead of 200."
        case .invalidDocument(let reason): reason
        }
    }
}
