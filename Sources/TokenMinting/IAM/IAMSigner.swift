import FleetToken
package import JOSE
import ServiceSupport
import Synchronization

/// Signs by Google's IAM Credentials API, which holds the account's key: there is none in this process or on its disk.
package final class IAMSigner: TokenSigner {
    /// The maximum number of concurrent signatures: at 100 milliseconds each, more than Google's quota allows.
    static let concurrency = 64
    private static let maximumAttempts = 3
    /// For how many seconds an account that Google refuses to sign for is left alone.
    private static let refusalPause: Seconds = 1

    /// The account's e-mail address.
    package let issuer: String
    /// The account whose key requests the access tokens; nil for that of this machine.
    private let credentials: ServiceAccount?
    /// How long a signature may take, with all that it needs.
    private let time: Duration
    private let client: GoogleClient
    package let gate: SigningGate?
    /// The end of the current pause, and the error for requests during it.
    private let pause = Mutex<(end: Seconds, reason: IAMError)?>(nil)

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
        let seconds = time / .seconds(1)
        let deadline = client.clock.uptime + seconds
        return try await withThrowingTaskGroup(of: SignedToken.self) { group in
            group.addTask { try await self.sign(payload, until: deadline) }
            group.addTask {
                try await self.client.clock.sleep(for: self.time)
                throw IAMError("Signing for \(self.issuer) at Google timed out after \(seconds) seconds.")
            }
            defer { group.cancelAll() }
            guard let token = try await group.next() else { throw CancellationError() }
            return token
        }
    }

    private func sign(_ payload: [UInt8], until deadline: Seconds) async throws -> SignedToken {
        let response = try await repeated(until: deadline) { try await signature(of: payload) }
        let jwk = try await repeated(until: deadline) { try await client.key(named: response.keyID, of: issuer) }
        return SignedToken(token: response.token, jwk: jwk)
    }

    /// Retries transient failures; signing has no side effects, so a retry is safe.
    private func repeated<Result>(until deadline: Seconds, _ body: () async throws -> Result) async throws -> Result {
        var attempt = 0
        while true {
            attempt += 1
            do {
                return try await body()
            } catch let error as IAMError {
                guard attempt < Self.maximumAttempts, case .retryable(let requested) = error.retry else { throw error }
                let backoff = 0.1 * Seconds(1 << attempt) * (1 + client.clock.random()) / 2
                let wait = backoff + (requested ?? 0)
                // A caller that would wait in vain gets the retry time immediately.
                guard client.clock.uptime + wait < deadline else { throw error }
                try await client.clock.sleep(for: .seconds(wait))
            }
        }
    }

    private func signature(of payload: [UInt8]) async throws -> (keyID: String, token: Secret) {
        try checkPause()
        let token = try await client.accessToken(credentials)
        var response = try await client.servers.signJWT(payload, by: issuer, bearer: token)
        // The token was revoked, or expired early. If a new token is rejected too, the account lacks permission; the cached
        // token stays valid for other accounts.
        if response.status == 401, let newer = try await client.replacement(of: token, credentials) {
            response = try await client.servers.signJWT(payload, by: issuer, bearer: newer.token)
            if response.status != 401 { client.keep(newer, insteadOf: token, credentials) }
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
        return try GoogleServers.signature(in: response.body)
    }

    /// Begins a pause after a `Retry-After` or a refusal, for all requests and not only for the one that got it; it does not
    /// shorten a current one.
    ///
    /// Errors that only an operator can fix are retried once per second; otherwise this account's callers would exhaust
    /// a quota shared with others.
    private func beginPause(after reason: IAMError, _ status: Int) {
        let seconds =
            switch reason.retry {
            case .retryable(let seconds): seconds
            case .permanent: [401, 403, 404].contains(status) ? Self.refusalPause : nil
            }
        guard let seconds else { return }
        let end = client.clock.uptime + seconds
        pause.withLock { pause in
            if end > pause?.end ?? 0 { pause = (end, reason) }
        }
    }

    /// - Throws: ``IAMError`` with the time that is left of a pause.
    private func checkPause() throws(IAMError) {
        guard let (end, reason) = pause.withLock({ $0 }) else { return }
        let left = end - client.clock.uptime
        guard left > 0 else { return }
        throw reason.retryable(after: left)
    }
}
