import FleetToken

extension TokenError.Reason {
    /// The `WWW-Authenticate` field that an answer with this reason carries (RFC 6750 section 3), if any.
    ///
    /// Without credentials the challenge has no error, as required by the RFC.
    package var challenge: String? {
        switch self {
        case .unauthenticated: #"Bearer realm="fleet-token""#
        case .invalidCredentials: #"Bearer realm="fleet-token", error="invalid_token""#
        case .multipleCredentials: #"Bearer realm="fleet-token", error="invalid_request""#
        default: nil
        }
    }
}
