import FleetToken
package import JOSE
package import ServiceSupport

/// Google's servers, as far as signing without a key file needs them: each method is one exchange.
package struct GoogleServers: Sendable {
    let http: any OutgoingHTTP
    let endpoints: GoogleEndpoints
    let clock: ServiceClock

    /// Requests a signature of the IAM Service Account Credentials API, with the access token of an account that may sign for
    /// this one.
    ///
    /// - Returns: The response, a refusal included.
    /// - Throws: ``IAMError`` if there is none.
    func signJWT(_ payload: [UInt8], by account: String, bearer: Secret) async throws(IAMError) -> OutgoingResponse {
        let url = "\(endpoints.credentials)/v1/projects/-/serviceAccounts/\(account):signJwt"
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
        var request = OutgoingRequest(.get, "\(endpoints.keys)/service_accounts/v1/jwk/\(account)")
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

/// Where Google's services are.
package struct GoogleEndpoints: Hashable, Sendable {
    /// The address of the emulator that takes the place of all of them; nil for Google's own.
    private let emulator: String?

    /// The metadata server of this machine.
    var metadata: String { emulator ?? "http://metadata.google.internal" }
    /// The OAuth server.
    var oauth: String { emulator ?? "https://oauth2.googleapis.com" }
    /// The IAM Service Account Credentials API.
    var credentials: String { emulator ?? "https://iamcredentials.googleapis.com" }
    /// Service accounts' public keys.
    var keys: String { emulator ?? "https://www.googleapis.com" }
    /// Fleet Engine, which is called for checks only.
    package var fleetEngine: String { emulator ?? "https://fleetengine.googleapis.com" }
    /// Whether they are an emulator's, not Google's.
    package var isEmulator: Bool { emulator != nil }

    /// Google's own.
    package static let google = GoogleEndpoints(emulator: nil)
}

extension GoogleEndpoints {
    /// The environment variable with the address of a Google emulator, for tests: `127.0.0.1:PORT`.
    static let emulatorVariable = "TOKEND_GOOGLE_EMULATOR_HOST"

    /// Returns Google's endpoints, or those of the emulator that the environment names.
    ///
    /// Only `127.0.0.1:PORT` is allowed: any other server would receive signed assertions and could make any key
    /// trusted.
    ///
    /// - Throws: ``ConfigurationError`` when it names anything but a port of this machine.
    package static func chosen(by environment: [String: String]) throws(ConfigurationError) -> GoogleEndpoints {
        guard let emulator = environment[emulatorVariable] else { return .google }
        let prefix = "127.0.0.1:"
        guard emulator.utf8.starts(with: prefix.utf8), case let port = emulator.utf8.dropFirst(prefix.utf8.count),
            port.allSatisfy(\.isASCIIDigit), let number = UInt16(Substring(port)), number > 0
        else {
            throw ConfigurationError(
                "\(emulatorVariable): The Google emulator is only for tests, and its address must be 127.0.0.1:PORT."
            )
        }
        return Self(emulator: "http://\(emulator)")
    }
}
