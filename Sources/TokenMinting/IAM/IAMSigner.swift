import FleetToken
package import JOSE
import ServiceSupport
import Synchronization

/// Signs by Google's IAM Credentials API, which holds the account's key: there is none in this process or on its disk.
package final class IAMSigner: TokenSigner {
    /// The maximum number of concurrent signatures: at 100 milliseconds each, more than Google's quota allows.
    static let concurrency = 64
    private static let maximumAttempts = 3
    /// The pause after Google refused to sign for an account.
    private static let refusalPause = Duration.seconds(1)

    /// The time after a failure in which Google is not asked.
    private struct Pause {
        /// When it began, by ``ServiceClock/monotonic``.
        let start: Int64
        let duration: Duration
        /// The error for requests during it.
        let reason: IAMError
    }

    /// The account's e-mail address.
    package let issuer: String
    /// The account whose key requests the access tokens; nil for that of this machine.
    private let credentials: ServiceAccount?
    /// How long a signature may take, with all that it needs.
    private let time: Duration
    private let client: GoogleClient
    package let gate: FairGate?
    private let pause = Mutex<Pause?>(nil)

    /// Creates a signer for an account.
    package init(
        account: String,
        credentials: ServiceAccount?,
        time: Duration,
        client: GoogleClient,
        gates: SigningGates? = nil
    ) {
        issuer = account
        gate = gates?.gate("iam", key: account, slots: Self.concurrency, duration: .milliseconds(100))
        self.credentials = credentials
        self.time = time
        self.client = client
    }

    /// The keys that Google published for the account when they were last fetched; none before the first signature.
    package var publicKeys: [JWK] { client.accountKeys.current(of: issuer)?.keys ?? [] }

    /// Requests a signature from Google.
    ///
    /// - Throws: ``IAMError``, or `CancellationError`.
    package func sign(payload: [UInt8]) async throws -> SignedToken {
        let start = client.clock.monotonic
        let result = await withTimeout(time, clock: client.clock) { try await self.sign(payload, since: start) }
        try Task.checkCancellation()
        guard let result else { throw IAMError("Signing for \(issuer) at Google timed out after \(time).") }
        return try result.get()
    }

    private func sign(_ payload: [UInt8], since start: Int64) async throws -> SignedToken {
        let response = try await repeated(since: start) { try await signature(of: payload) }
        let jwk = try await repeated(since: start) { try await client.key(named: response.keyID, of: issuer) }
        return SignedToken(token: response.token, jwk: jwk)
    }

    /// Retries transient failures; signing has no side effects, so a retry is safe.
    private func repeated<Result>(since start: Int64, _ body: () async throws -> Result) async throws -> Result {
        var attempt = 0
        while true {
            attempt += 1
            do {
                return try await body()
            } catch let error as IAMError {
                guard attempt < Self.maximumAttempts, case .retryable(let requested) = error.retry else { throw error }
                let backoff = .milliseconds(100 << attempt) * (1 + client.clock.random()) / 2
                let wait = backoff + (requested ?? .zero)
                // A caller that would wait in vain gets the retry time immediately.
                guard client.clock.duration(since: start) + wait < time else { throw error }
                try await client.clock.sleep(for: wait)
            }
        }
    }

    private func signature(of payload: [UInt8]) async throws -> (keyID: String, token: Secret) {
        try checkPause()
        let token = try await client.accessTokens.value(of: credentials)
        var response = try await client.requests.signJWT(payload, by: issuer, bearer: token)
        if response.status == 401 {
            // The token was revoked, or expired early.
            let age = GoogleClient.tokenRefetchInterval
            let newer = try await client.accessTokens.value(of: credentials, youngerThan: age)
            if newer != token { response = try await client.requests.signJWT(payload, by: issuer, bearer: newer) }
        }
        guard response.status == 200 else {
            let error = IAMError(
                signJWT: GoogleStatus(response),
                account: issuer,
                credentials: credentials,
                member: client.member
            )
            beginPause(after: error, response.status)
            throw error
        }
        return try GoogleRequests.signature(in: response.body)
    }

    /// Begins a pause after a `Retry-After` or a refusal, for all requests and not only for the one that got it; it does not
    /// shorten a current one.
    ///
    /// Errors that only an operator can fix are retried once per second; otherwise this account's callers would exhaust
    /// a quota shared with others.
    private func beginPause(after reason: IAMError, _ status: Int) {
        let duration: Duration? =
            switch reason.retry {
            case .retryable(let time): time
            case .permanent: [401, 403, 404].contains(status) ? Self.refusalPause : nil
            }
        guard let duration else { return }
        pause.withLock { pause in
            if let pause, left(of: pause) >= duration { return }
            pause = Pause(start: client.clock.monotonic, duration: duration, reason: reason)
        }
    }

    private func left(of pause: Pause) -> Duration { pause.duration - client.clock.duration(since: pause.start) }

    /// - Throws: ``IAMError`` with the time that is left of a pause.
    private func checkPause() throws(IAMError) {
        guard let pause = pause.withLock({ $0 }) else { return }
        let left = left(of: pause)
        if left > .zero { throw pause.reason.retryable(after: left) }
    }
}
