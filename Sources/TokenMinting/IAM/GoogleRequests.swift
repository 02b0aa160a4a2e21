import FleetToken
package import JOSE
import ServiceSupport

/// The requests to Google that signing without a key file needs: each method is one exchange.
package struct GoogleRequests: Sendable {
    let http: any OutgoingHTTP
    let addresses: GoogleAddresses
    let clock: ServiceClock

    /// Requests a signature of the IAM Service Account Credentials API, with the access token of an account that may sign for
    /// this one.
    ///
    /// - Returns: The response, a refusal included.
    /// - Throws: ``IAMError`` if there is none.
    func signJWT(_ payload: [UInt8], by account: String, bearer: Secret) async throws(IAMError) -> OutgoingResponse {
        let url = "\(addresses.credentials)/v1/projects/-/serviceAccounts/\(account):signJwt"
        var request = OutgoingRequest(.post, url)
        request.headers = [
            (name: "Content-Type", value: "application/json"), (name: "Accept", value: "application/json"),
        ]
        request.bearer = bearer
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("payload", utf8: payload)
        }
        request.body = Secret(writer.bytes)
        return try await send(request) { error in
            if case .tooLarge = error {
                return .permanent("Google's response to signJwt is too large.")
            }
            return IAMError(
                "No response from iamcredentials.googleapis.com (\(error)). Check the network and the firewall."
            )
        }
    }

    /// Reads the response to `signJwt`: the key's ID, and the token, whose claims and signature are yet to be checked.
    static func signature(in body: Secret) throws(IAMError) -> (keyID: String, token: Secret) {
        guard let response = try? JSONParser.parseObject(body.reveal()),
            let keyID = response["keyId"]?.stringValue, JWSHeader.isValidKeyID(keyID),
            let token = response["signedJwt"]?.stringValue
        else { throw .permanent("Google's response to signJwt is malformed.") }
        return (keyID, Secret(token))
    }

    /// Requests an account's public keys: those held by Google, and those in key files that are neither deleted nor
    /// disabled.
    ///
    /// - Throws: ``IAMError`` that describes the fix.
    package func publishedKeys(of account: String) async throws(IAMError) -> JWKSet {
        var request = OutgoingRequest(.get, "\(addresses.keys)/service_accounts/v1/jwk/\(account)")
        request.headers = [(name: "Accept", value: "application/json")]
        request.maximumSize = JWKSet.maximumSize
        let response = try await send(request) { error in
            IAMError(
                "Fetching the public keys of \(account) from www.googleapis.com failed (\(error)). Check the network and the firewall."
            )
        }
        switch response.status {
        case 200: break
        case 404:
            throw .permanent(
                "Service account \(account) not found: Google publishes no keys for it. Check its address."
            )
        default:
            let status = GoogleStatus(response)
            throw .temporary(
                "The public keys of \(account) are unavailable now (\(status.text)).",
                after: status.retryAfter
            )
        }
        do {
            let keys = try JWKSet(parsing: response.body.reveal())
            guard !keys.keys.isEmpty || keys.unusable.isEmpty else {
                throw JOSEError(.invalidKeySet, "The key set is unusable. \(keys.unusable[0])")
            }
            return keys
        } catch {
            throw IAMError("The public keys of \(account) are unusable. \(error)")
        }
    }

    /// Sends a request; `failure` says for operators why there is no response.
    func send(
        _ request: OutgoingRequest,
        or failure: (OutgoingError) -> IAMError
    ) async throws(IAMError) -> OutgoingResponse {
        do {
            return try await http.send(request)
        } catch {
            throw failure(error)
        }
    }
}
