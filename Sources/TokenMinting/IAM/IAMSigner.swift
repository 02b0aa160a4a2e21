import ExpiringCache
import FleetToken
package import JOSE
import ServiceSupport
import Synchronization
package import Timing

/// Signs by Google's IAM Credentials API, which holds the account's key: there is none in this process or on its disk.
package struct IAMSigner: TokenSigner {
    static let maximumAttempts = 3
    /// For how many seconds an account that Google refuses to sign for is left alone.
    static let refusalPause: Seconds = 1

    /// The account's e-mail address.
    package let issuer: String
    private let credentials: GoogleCredentials
    private let timeout: Seconds
    private let client: GoogleClient
    private let pause: RetryPause
    private let queue: SigningQueue?

    /// Creates a signer for an account.
    ///
    /// - Parameters:
    ///   - account: Its e-mail address at Google.
    ///   - credentials: The source of the access tokens for signing requests.
    ///   - timeout: How many seconds a signature may take, with all that it needs.
    ///   - client: Reaches Google.
    ///   - queue: The account's queue; nil to sign immediately.
    /// - Throws: ``MintingError`` if the address is not one of a Google service account.
    package init(
        account: String,
        credentials: GoogleCredentials,
        timeout: Seconds,
        client: GoogleClient,
        queue: SigningQueue? = nil
    ) throws(MintingError) {
        guard ServiceAccountAddress.isGoogles(account) else {
            throw MintingError(
                .invalidServiceAccount,
                "This is not the email address of a Google service account, such as driver@my-project.iam.gserviceaccount.com."
            )
        }
        issuer = account
        self.credentials = credentials
        self.timeout = timeout
        self.client = client
        self.queue = queue
        pause = RetryPause(clock: client.clock)
    }

    /// The keys that Google published for the account when they were last fetched; none before the first signature.
    package var publicKeys: [JWK] { client.accountKeys.cachedValue(for: issuer)?.keys ?? [] }

    /// Requests a signature from Google.
    ///
    /// - Throws: ``IAMError``, `CancellationError`, or the queue's error.
    package func sign(payload: [UInt8], for caller: String?) async throws -> SignedToken {
        guard let queue else { return try await sign(payload) }
        return try await queue.sign(for: caller, account: issuer) { try await sign(payload) }
    }

    private func sign(_ payload: [UInt8]) async throws -> SignedToken {
        let deadline = client.clock.uptime + timeout
        return try await withThrowingTaskGroup(of: SignedToken.self) { group in
            group.addTask { try await sign(payload, until: deadline) }
            group.addTask {
                try await client.clock.sleep(for: .seconds(timeout))
                throw IAMError(.timedOut, "Signing for \(issuer) at Google timed out after \(timeout) seconds.")
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

    private func signature(of payload: [UInt8]) async throws -> SignJWTResponse {
        try pause.check()
        let token = try await client.accessToken(credentials)
        var response = try await client.servers.signJWT(payload, by: issuer, bearer: token)
        // The token was revoked, or expired early. If a new token is rejected too, the account lacks permission; the cached
        // token stays valid for other accounts.
        if response.status == 401, let newer = try await client.replacement(of: token, credentials) {
            response = try await client.servers.signJWT(payload, by: issuer, bearer: newer.token)
            if response.status != 401 { client.keep(newer, insteadOf: token, credentials) }
        }
        guard response.status == 200 else {
            let error = IAMError(signJWT: GoogleStatus(response), account: issuer, credentials: credentials)
            if let seconds = pauseSeconds(after: error, response.status) { pause.begin(seconds, error) }
            throw error
        }
        return try SignJWTResponse(response.body)
    }

    /// Returns for how long no signatures are requested for this account after a refusal; nil for no pause.
    ///
    /// Errors that only an operator can fix are retried once per second; otherwise this account's callers would exhaust
    /// a quota shared with others.
    private func pauseSeconds(after error: IAMError, _ status: Int) -> Seconds? {
        switch error.retry {
        case .retryable(let seconds): seconds
        case .permanent: [401, 403, 404].contains(status) ? Self.refusalPause : nil
        }
    }
}

/// Pauses the signatures of an account after a `Retry-After` or a refusal, for all requests and not only for the one that
/// got it.
final class RetryPause: Sendable {
    private let clock: ServiceClock
    private let state = Mutex<(end: Seconds, reason: IAMError)?>(nil)

    init(clock: ServiceClock) {
        self.clock = clock
    }

    /// Begins a pause; it does not shorten a current one.
    func begin(_ seconds: Seconds, _ reason: IAMError) {
        let end = clock.uptime + seconds
        state.withLock { state in
            if end > state?.end ?? 0 { state = (end, reason) }
        }
    }

    /// - Throws: ``IAMError`` with the time that is left of a pause.
    func check() throws(IAMError) {
        guard let (end, reason) = state.withLock({ $0 }) else { return }
        let left = end - clock.uptime
        guard left > 0 else { return }
        throw IAMError(
            reason.code,
            reason.description,
            retry: reason.retry == .permanent ? .permanent : .retryable(after: left)
        )
    }
}
