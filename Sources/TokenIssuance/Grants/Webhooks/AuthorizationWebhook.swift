import ExpiringCache
package import FleetToken
package import ServiceConfiguration
package import ServiceSupport
import Telemetry
import Timing
package import TokenMinting

/// A service of the operator's that decides whether a caller may have a scope.
///
/// It receives a signed request with the caller and the scope, and must respond with `{"allow": true}` and status 200.
/// Anything else is a denial. If configured, an allowing response is cached for a short time, for equal requests only.
package struct AuthorizationWebhook: ScopeWebhook {
    /// How long a response takes until it is measured, in nanoseconds.
    private static let usualDuration: Int64 = 50_000_000
    /// The maximum number of cached results.
    static let cacheCapacity = 10_000

    private let claims: [String]
    private let exchange: WebhookExchange
    private let cache: ExpiringCache<WebhookRequest, WebhookResult>?

    /// Creates a webhook.
    ///
    /// - Parameters:
    ///   - configuration: Its settings.
    ///   - limits: The limits of the queue in front of it.
    ///   - secret: The content of its secret file.
    ///   - http: Sends its requests.
    ///   - metrics: Metrics of its results; nil for none.
    ///   - clock: The time that requests are signed with, and that cached results age by.
    /// - Throws: ``ConfigurationError`` if its URL or secret is invalid.
    package init(
        _ configuration: WebhookConfiguration,
        limits: AdmissionLimits = AdmissionLimits(),
        secret: Secret,
        http: any OutgoingHTTP,
        metrics: WebhookMetrics? = nil,
        clock: ServiceClock
    ) throws(ConfigurationError) {
        claims = configuration.claims
        exchange = WebhookExchange(
            url: try WebhookURL(configuration.url),
            signature: try WebhookSignature(secret: secret),
            timeout: .milliseconds(configuration.timeout),
            admission: Admission(
                parallel: Int(configuration.concurrency),
                duration: Self.usualDuration,
                sharesSlots: true,
                clock: clock
            ),
            limits: limits,
            http: http,
            metrics: metrics,
            clock: clock
        )
        cache = configuration.cache > 0 ? Self.cache(of: exchange, for: Seconds(configuration.cache), clock) : nil
    }

    package func result(for caller: Caller, _ scope: TokenScope, requestID: String) async -> WebhookResult {
        let request = WebhookRequest(caller, scope, claims: claims, requestID: requestID)
        guard let cache else { return await exchange.result(of: request) }
        do {
            return try await cache.value(for: request)
        } catch let error as CacheError {
            return (error.underlying as? Refused)?.result ?? .noResponse(error.description)
        } catch {
            return .noResponse("the request was cancelled")
        }
    }
}

extension AuthorizationWebhook {
    /// Keeps all responses except allows out of the cache.
    private struct Refused: Error {
        let result: WebhookResult
    }

    private static func cache(
        of exchange: WebhookExchange,
        for lifetime: Seconds,
        _ clock: ServiceClock
    ) -> ExpiringCache<WebhookRequest, WebhookResult> {
        var configuration = CacheConfiguration()
        configuration.capacity = cacheCapacity
        // An allow is valid until it expires, and is not refreshed ahead.
        configuration.minimumRemaining = 0
        configuration.refreshAhead = 0
        // Only allowing responses are cached, so that a denial never delays a later grant.
        configuration.backoff = 0...0
        // The exchange has its own timeout.
        configuration.fetchTimeout = .infinity
        configuration.callTimeout = .infinity
        return ExpiringCache(
            configuration: configuration,
            clock: clock.cache,
            scheduler: clock.scheduler,
            random: clock.random
        ) { request, _ in
            let result = await exchange.result(of: request)
            guard result == .allowed else { throw Refused(result: result) }
            return Fetched(result, lifetime: lifetime)
        }
    }
}

/// Metrics of webhook calls.
package struct WebhookMetrics: Sendable {
    /// The duration of a call; cached results are not recorded.
    let duration: MetricTable<Histogram, WebhookResultLabel>

    /// Creates the metrics and declares them in a registry.
    init(registry: PrometheusRegistry) {
        duration = MetricTable(
            "fleet_token_webhook_duration_seconds",
            help: "Duration of webhook calls, by result.",
            in: registry
        )
        for result in WebhookResultLabel.allCases { _ = duration[result] }
    }
}

/// The result of a webhook call.
enum WebhookResultLabel: String, MetricLabel {
    case allowed
    case denied
    /// The response has no decision.
    case noDecision = "no_decision"
    /// There is no response, or none in time.
    case noResponse = "no_answer"
    /// It was not called, because too many calls were in progress.
    case overloaded

    static let labelName = "result"

    /// Creates the label for a result.
    init(_ result: WebhookResult) {
        self =
            switch result {
            case .allowed: .allowed
            case .denied: .denied
            case .noDecision: .noDecision
            case .noResponse: .noResponse
            case .overloaded: .overloaded
            }
    }
}
