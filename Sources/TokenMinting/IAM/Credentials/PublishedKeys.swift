import ExpiringCache
import FleetToken
import JOSE

/// The public keys of service accounts, which Google publishes for everybody.
struct PublishedKeys {
    let transport: any GoogleTransport
    let endpoints: GoogleEndpoints

    /// Asks for an account's keys: those that Google holds, and those in key files that are neither deleted nor disabled.
    ///
    /// - Throws: ``IAMError`` that says what to do.
    func keys(of account: String) async throws(IAMError) -> JWKSet {
        var request = GoogleRequest(.get, "\(endpoints.keys)/service_accounts/v1/jwk/\(account)")
        request.headers = [(name: "Accept", value: "application/json")]
        request.maximumAnswerSize = JWKSet.maximumSize
        let answer: GoogleAnswer
        do {
            answer = try await transport.send(request)
        } catch {
            throw IAMError(
                .unreachable,
                "The public keys of \(account) cannot be had from www.googleapis.com (\(error.text)). Check the network and its firewall."
            )
        }
        switch answer.status {
        case 200: break
        case 404:
            throw IAMError(
                .denied,
                "There is no service account \(account): Google publishes no keys of it. Check its address.",
                retry: .permanent
            )
        default:
            let status = GoogleStatus(answer)
            throw IAMError(
                .unavailable,
                "The public keys of \(account) cannot be had now (\(status.text)).",
                retry: .retryable(after: status.retryAfter)
            )
        }
        do {
            return try JWKSet(parsing: answer.body.reveal())
        } catch {
            throw IAMError(.malformed, "The public keys of \(account) cannot be used. \(error)")
        }
    }
}
