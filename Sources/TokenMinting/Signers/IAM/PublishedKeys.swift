import ExpiringCache
import FleetToken
import JOSE
import ServiceSupport

/// The public keys of service accounts, which Google publishes.
struct PublishedKeys {
    let http: any OutgoingHTTP
    let endpoints: GoogleEndpoints

    /// Requests an account's keys: those held by Google, and those in key files that are neither deleted nor disabled.
    ///
    /// - Throws: ``IAMError`` that describes the fix.
    func keys(of account: String) async throws(IAMError) -> JWKSet {
        var request = OutgoingRequest(.get, "\(endpoints.keys)/service_accounts/v1/jwk/\(account)")
        request.headers = [(name: "Accept", value: "application/json")]
        request.maximumSize = JWKSet.maximumSize
        let response: OutgoingResponse
        do {
            response = try await http.send(request)
        } catch {
            throw IAMError(
                .unreachable,
                "Fetching the public keys of \(account) from www.googleapis.com failed (\(error)). Check the network and the firewall."
            )
        }
        switch response.status {
        case 200: break
        case 404:
            throw IAMError(
                .denied,
                "Service account \(account) not found: Google publishes no keys for it. Check its address.",
                retry: .permanent
            )
        default:
            let status = GoogleStatus(response)
            throw IAMError(
                .unavailable,
                "The public keys of \(account) are unavailable now (\(status.text)).",
                retry: .retryable(after: status.retryAfter)
            )
        }
        do {
            return try JWKSet(parsing: response.body.reveal())
        } catch {
            throw IAMError(.malformed, "The public keys of \(account) are unusable. \(error)")
        }
    }
}
