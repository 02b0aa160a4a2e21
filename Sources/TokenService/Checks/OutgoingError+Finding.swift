import ServiceSupport

extension OutgoingError {
    /// The error in a finding, with the limits of a check.
    var finding: String {
        switch self {
        case .tooLarge: "the response is larger than 256 KiB"
        case .timedOut: "timed out after ten seconds"
        case .failed(let reason): reason
        }
    }
}
