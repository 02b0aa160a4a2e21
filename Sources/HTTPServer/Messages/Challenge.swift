import FleetToken

extension TokenError.Reason {
    /// The `WWW-Authenticate` field that an answer with this reason carries (RFC 6750 section 3), if any.
    ///
    /// Whoever sent nothing is told no error, as the RFC wants it.
    package var challenge: String? {
        switch self {
        case .unauthenticated: #"Bearer realm="fleet-token""#
        case .invalidCredentials: #"Bearer realm="fleet-token", error="invalid_token""#
        case .multipleCredentials: #"Bearer realm="fleet-token", error="invalid_request""#
        default: nil
        }
    }
}
