import FleetToken
import JOSE
import ServiceSupport

extension GoogleRequests {
    /// Requests an access token for an account with a key file, or for this machine's.
    ///
    /// - Throws: ``IAMError`` that describes the fix.
    func accessToken(_ credentials: ServiceAccount?) async throws(IAMError) -> Fresh<Secret> {
        if let credentials { try await accessToken(of: credentials) } else { try await accessTokenOfThisMachine() }
    }

    // MARK: - The metadata server

    /// Requests an access token for the account that this machine, pod or Cloud Run service runs as.
    private func accessTokenOfThisMachine() async throws(IAMError) -> Fresh<Secret> {
        let flavor = (name: "Metadata-Flavor", value: "Google")
        let advice = "Outside Google Cloud, set credentials to a service account's key file."
        var request = OutgoingRequest(
            .get,
            "\(addresses.metadata)/computeMetadata/v1/instance/service-accounts/default/token"
        )
        // The server requires this header as protection against request forgery.
        request.headers = [flavor]
        let response = try await send(request) { error in
            IAMError("No response from Google's metadata server (\(error)). \(advice)")
        }
        // Another server at this address, such as a proxy, does not send this header.
        guard response.headers["metadata-flavor"] == flavor.value else {
            throw IAMError("The response is not from Google's metadata server. \(advice)")
        }
        guard response.status == 200 else { throw Self.refusal(ofMetadataServer: GoogleStatus(response)) }
        return try Self.token(in: response.body, from: "Google's metadata server")
    }

    /// Requests how IAM names the account of this machine, pod or Cloud Run service: the member of a role's binding.
    ///
    /// - Returns: The member; nil if the metadata server does not say it.
    package func member() async -> String? {
        guard let name = await metadata("instance/service-accounts/default/email") else { return nil }
        if ServiceAccountAddress.isGoogles(name) { return "serviceAccount:\(name)" }
        // A pod whose Kubernetes account has roles of its own: the name is that of the cluster's pool of identities.
        guard name.hasSuffix(".svc.id.goog") else { return nil }
        guard let number = await metadata("project/numeric-project-id") else { return nil }
        return
            "principal://iam.googleapis.com/projects/\(number)/locations/global/workloadIdentityPools/\(name)/subject/ns/NAMESPACE/sa/SERVICE_ACCOUNT"
    }

    /// Requests a value of the metadata server; nil if it does not return one that is harmless.
    private func metadata(_ name: String) async -> String? {
        var request = OutgoingRequest(.get, "\(addresses.metadata)/computeMetadata/v1/\(name)")
        request.headers = [(name: "Metadata-Flavor", value: "Google")]
        request.timeout = .seconds(2)
        guard let response = try? await http.send(request) else { return nil }
        let value = response.body.reveal()
        guard response.status == 200, response.headers["metadata-flavor"] == "Google",
            value.allSatisfy({ $0.isASCIILetterOrDigit || "@.-:".utf8.contains($0) }), !value.isEmpty
        else { return nil }
        return String(decoding: value, as: UTF8.self)
    }

    private static func refusal(ofMetadataServer status: GoogleStatus) -> IAMError {
        switch status.code {
        case 404:
            .permanent("This machine has no service account (the metadata server returned \(status.text)). Attach one.")
        case 403:
            .permanent(
                "The metadata server refuses to issue an access token (\(status.text)). With workload identity, check that the Kubernetes account is bound to a service account by roles/iam.workloadIdentityUser."
            )
        case 429:
            .temporary("The metadata server received too many requests.", after: status.retryAfter)
        default:
            .temporary(
                "The metadata server cannot issue an access token now (\(status.text)).",
                after: status.retryAfter
            )
        }
    }

    // MARK: - The OAuth server

    /// Requests an access token for a signed assertion (RFC 7523 section 2.1), as service accounts with a key file get
    /// them.
    private func accessToken(of account: ServiceAccount) async throws(IAMError) -> Fresh<Secret> {
        let type = "urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer"
        var request = OutgoingRequest(.post, "\(addresses.oauth)/token")
        request.headers = [(name: "Content-Type", value: "application/x-www-form-urlencoded")]
        // A compact JWS has no character that a form would have to escape.
        let assertion = try Self.assertion(account, now: clock.now).revealText()
        request.body = Secret("grant_type=\(type)&assertion=\(assertion)")
        let response = try await send(request) { error in
            IAMError(
                "No response from Google's OAuth server, oauth2.googleapis.com (\(error)). Check the network and the firewall."
            )
        }
        guard response.status == 200 else {
            throw Self.refusal(ofOAuthServer: GoogleStatus(response), account: account)
        }
        return try Self.token(in: response.body, from: "Google's OAuth server")
    }

    private static func assertion(_ account: ServiceAccount, now: NumericDate) throws(IAMError) -> Secret {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("iss", account.email)
            // The scope required to sign for another account.
            writer.member("scope", "https://www.googleapis.com/auth/iam")
            // The OAuth server by its name, wherever the request is sent.
            writer.member("aud", "https://oauth2.googleapis.com/token")
            // A clock that is a little fast must not make it come from the future.
            writer.member("iat", (now - 10).seconds)
            writer.member("exp", (now + 600).seconds)
        }
        do {
            return try LocalSigner(account).signNow(payload: writer.bytes).token
        } catch {
            throw .permanent("Signing with the key of \(account.email) failed. \(error)")
        }
    }

    private static func refusal(ofOAuthServer status: GoogleStatus, account: ServiceAccount) -> IAMError {
        switch status.code {
        case 429, 500...599:
            .temporary(
                "Google's OAuth server cannot issue an access token now (\(status.text)).",
                after: status.retryAfter
            )
        case _ where status.says("invalid_grant"):
            .permanent(
                "Google rejects the key \(account.keyID) of \(account.email) (\(status.text)). The key or the account was deleted or disabled, or this machine's clock is wrong."
            )
        default:
            .permanent("Google refuses to issue an access token to \(account.email) (\(status.text)).")
        }
    }
}

extension GoogleRequests {
    /// How long before it expires a token counts as expired.
    private static let margin = Duration.seconds(30)
    /// How long before that it is replaced: the metadata server returns the same token until five minutes before it expires.
    private static let refreshAhead = Duration.seconds(240)

    /// Reads the response of an OAuth server or the metadata server (RFC 6749 section 5.1).
    ///
    /// - Throws: ``IAMError`` when it has no access token.
    private static func token(in body: Secret, from server: String) throws(IAMError) -> Fresh<Secret> {
        guard let response = try? JSONParser.parseObject(body.reveal()),
            let token = response["access_token"]?.stringValue, let seconds = response["expires_in"]?.integerValue,
            let type = response["token_type"]?.stringValue
        else { throw IAMError("\(server) returned an invalid access token response.") }
        guard type.hasSameBytes(as: "Bearer"), (1...86_400).contains(seconds),
            // A header field must not be terminated by its value.
            (1...8192).contains(token.utf8.count), token.utf8.allSatisfy(\.isASCIIVisible)
        else { throw IAMError("\(server) returned an unusable access token.") }
        let lifetime = Duration.seconds(seconds)
        let good = lifetime - min(margin, lifetime / 2)
        return Fresh(Secret(token), lifetime: good, refreshAfter: good - min(refreshAhead, good / 5))
    }
}
