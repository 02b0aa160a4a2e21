import FleetToken
import HTTPTypes
import ServiceSupport
import TokenIssuance

extension Response {
    /// Creates the response to a refused request: Google's error model (AIP-193), with the header fields that HTTP
    /// requires.
    init(_ refusal: Refusal, requestID: String) {
        var headers = HTTPFields()
        if let allowed = refusal.allowedMethods { headers[.allow] = allowed }
        if let seconds = refusal.error.retryAfter { headers[.retryAfter] = String(seconds) }
        if let challenge = refusal.error.reason.challenge { headers[.wwwAuthenticate] = challenge }
        self.init(
            status: .init(code: refusal.error.reason.code),
            json: refusal.error.encoded(requestID: requestID),
            headers: headers
        )
    }
}

extension TokenError.Reason {
    /// The `WWW-Authenticate` field of a response with this reason (RFC 6750 section 3), if any.
    ///
    /// Without credentials the challenge has no error, as required by the RFC.
    var challenge: String? {
        switch self {
        case .unauthenticated: #"Bearer realm="fleet-token""#
        case .invalidCredentials: #"Bearer realm="fleet-token", error="invalid_token""#
        case .multipleCredentials: #"Bearer realm="fleet-token", error="invalid_request""#
        default: nil
        }
    }
}
