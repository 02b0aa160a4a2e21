package import ExpiringCache
import FleetToken
package import Logging
package import ServiceSupport

/// The dependencies for fetching key sets.
package struct KeySetFetching: Sendable {
    /// Sends the requests.
    var http: any OutgoingHTTP
    /// The time for each request; nil where fetches are cancelled when they take too long.
    var timeout: Duration?
    /// Tells their age, and ends fetches that time out.
    var clock: ServiceClock
    /// Metrics of the fetches; nil for none.
    var metrics: KeySetMetrics?
    /// Logs failed fetches.
    var logger: Logger

    /// Creates the means of fetching key sets.
    package init(
        http: any OutgoingHTTP,
        timeout: Duration? = nil,
        clock: ServiceClock,
        metrics: KeySetMetrics? = nil,
        logger: Logger
    ) {
        self.http = http
        self.timeout = timeout
        self.clock = clock
        self.metrics = metrics
        self.logger = logger
    }

    /// Fetches the keys of a plan.
    ///
    /// - Returns: The keys.
    /// - Throws: ``KeySetFetchError`` if fetching fails, and ``JOSEError`` if the keys are invalid.
    package func keys(of plan: KeySetPlan) async throws -> IssuerKeySet {
        switch plan.source {
        case .file(let path):
            return try IssuerKeySet(
                parsing: try TrustedFile(path).read(),
                algorithms: plan.algorithms,
                mayBeEmpty: true
            )
        case .url(let url):
            return try IssuerKeySet(parsing: try await document(at: url, plan), algorithms: plan.algorithms)
        case .provider(let provider):
            let (url, algorithms) = try provider.keys(describedBy: try await document(at: provider.document, plan))
            return try IssuerKeySet(parsing: try await document(at: url, plan), algorithms: algorithms)
        }
    }

    private func document(at url: KeySetURL, _ plan: KeySetPlan) async throws -> [UInt8] {
        var request = OutgoingRequest(.get, url.text)
        request.headers = [(name: "Accept", value: "application/json")]
        request.maximumSize = IssuerKeySet.maximumSize
        request.authorities = try plan.authorities.map { try TrustedFile($0).read() }
        request.timeout = timeout
        let response: OutgoingResponse
        do {
            response = try await http.send(request)
        } catch {
            throw KeySetFetchError.noResponse(from: url, error)
        }
        guard response.status == 200 else {
            throw KeySetFetchError.status(response.status, from: url, retryAfter: response.retryAfter())
        }
        return response.body.reveal()
    }
}

/// Why an issuer's keys could not be fetched.
package enum KeySetFetchError: Error, Hashable {
    /// There is no response.
    case noResponse(from: KeySetURL, OutgoingError)
    /// The status is not 200; a retry makes sense after the seconds, if the issuer says so.
    case status(Int, from: KeySetURL, retryAfter: Double?)
    /// The provider's configuration document cannot be used, for this reason.
    case invalidDocument(String)

    /// The seconds after which to retry, if the issuer says so.
    var retryAfter: Double? {
        if case .status(_, _, let seconds) = self { seconds } else { nil }
    }
}

extension KeySetFetchError: LoggableError {
    /// A description of the problem, for the operator.
    package var description: String {
        switch self {
        case .noResponse(_, .tooLarge): "The response is larger than 256 KiB."
        case .noResponse(_, let error): "Fetching failed: \(error)."
        case .status(let status, _, _): "The response has status \(status) instead of 200."
        case .invalidDocument(let reason): reason
        }
    }
}

/// All issuers' key sets, each fetched by one fetch at a time.
package typealias KeySetCache = ExpiringCache<KeySetPlan, IssuerKeySet>

extension KeySetCache {
    /// Creates an empty cache.
    package convenience init(_ fetching: KeySetFetching) {
        var configuration = CacheConfiguration()
        // They are good until they expire; how early they are refreshed comes with each set.
        configuration.minimumRemaining = 0
        configuration.fetchTimeout = 5
        // Callers wait for a fetch, which is bounded by itself.
        configuration.callTimeout = .infinity
        configuration.backoff = 1...60
        // Without keys no caller is authenticated, so an issuer's `Retry-After` is limited to one minute.
        configuration.maximumRetryAfter = 60
        self.init(
            configuration: configuration,
            clock: fetching.clock.cache,
            scheduler: fetching.clock.scheduler,
            random: fetching.clock.random
        ) { plan, _ in
            do {
                let keys = try await fetching.keys(of: plan)
                fetching.metrics?.fetched(plan, .fetched)
                return Fetched(
                    keys,
                    lifetime: Double(KeySetPlan.maxStale),
                    refreshAfter: Double(KeySetPlan.refresh),
                    // With cached keys there is no urgency, and forged tokens must not cause a series of requests.
                    retryInterval: Double(KeySetPlan.refetchInterval)
                )
            } catch {
                fetching.metrics?.fetched(plan, .failed)
                // The cache cancels fetches that take too long.
                let text = Task.isCancelled ? "Fetching timed out." : "\(OperatorMessage(error))"
                fetching.logger.warning(
                    "Fetching the issuer's keys failed.",
                    metadata: ["keys": "\(plan.location)", "error": "\(text)"]
                )
                throw FetchFailed(retry: .retryable(after: (error as? KeySetFetchError)?.retryAfter))
            }
        }
    }
}

/// Tells the cache when to try again.
private struct FetchFailed: FetchFailure {
    let retry: FetchRetry
}
