import ExpiringCache
import FleetToken
import JOSE
import ServiceSupport
import StrictCoding

/// Access tokens for a signed assertion (RFC 7523 section 2.1), as service accounts with a key file get them.
struct AccessTokenGrant {
    /// The scope required to sign for another account.
    private static let scope = "https://www.googleapis.com/auth/iam"
    /// The audience of the assertion: the OAuth server by its name, wherever the request is sent.
    private static let audience = "https://oauth2.googleapis.com/token"
    private static let type = "urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer"

    let http: any OutgoingHTTP
    let endpoints: GoogleEndpoints

    /// Requests an access token.
    ///
    /// - Throws: ``IAMError`` that describes the fix.
    func accessToken(for account: ServiceAccount, now: NumericDate) async throws(IAMError) -> Fetched<Secret> {
        var request = OutgoingRequest(.post, "\(endpoints.oauth)/token")
        request.headers = [(name: "Content-Type", value: "application/x-www-form-urlencoded")]
        // A compact JWS has no character that a form would have to escape.
        request.body = Secret("grant_type=\(Self.type)&assertion=\(try Self.assertion(account, now).revealText())")
        let response: OutgoingResponse
        do {
            response = try await http.send(request)
        } catch {
            throw IAMError(
                .unreachable,
                "No response from Google's OAuth server, oauth2.googleapis.com (\(error)). Check the network and the firewall."
            )
        }
        guard response.status == 200 else { throw Self.refusal(GoogleStatus(response), account) }
        return try Fetched(accessTokenResponse: response.body, from: "Google's OAuth server")
    }

    private static func assertion(_ account: ServiceAccount, _ now: NumericDate) throws(IAMError) -> Secret {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("iss", account.email)
            writer.member("scope", scope)
            writer.member("aud", audience)
            writer.name("iat")
            // A clock that is a little fast must not make it come from the future.
            writer.integer((now - 10).seconds)
            writer.member("exp", (now + 600).seconds)
        }
        do {
            return Secret(
                try CompactJWS.sign(payload: writer.bytes, header: JWSHeader(keyID: account.keyID), with: account.key)
            )
        } catch {
            throw IAMError(.credentials, "Signing with the key of \(account.email) failed. \(error)", retry: .permanent)
        }
    }

    private static func refusal(_ status: GoogleStatus, _ account: ServiceAccount) -> IAMError {
        switch status.code {
        case 429, 500...599:
            IAMError(
                status.code == 429 ? .quota : .unavailable,
                "Google's OAuth server cannot issue an access token now (\(status.text)).",
                retry: .retryable(after: status.retryAfter)
            )
        case _ where status.says("invalid_grant"):
            IAMError(
                .credentials,
                "Google rejects the key \(account.keyID) of \(account.email) (\(status.text)). The key or the account was deleted or disabled, or this machine's clock is wrong.",
                retry: .permanent
            )
        default:
            IAMError(
                .credentials,
                "Google refuses to issue an access token to \(account.email) (\(status.text)).",
                retry: .permanent
            )
        }
    }
}
