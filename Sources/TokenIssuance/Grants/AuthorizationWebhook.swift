package import FleetToken
package import Metrics
package import ServiceSupport
import TokenMinting

/// A service of the operator's that decides whether a caller may have a scope.
///
/// It receives a signed request with the caller and the scope, and must respond with `{"allow": true}` and status 200.
/// Anything else is a denial. No response is cached, so that a revoked permission counts at once.
package struct AuthorizationWebhook: Sendable {
    /// How long a response takes until it is measured.
    private static let usualDuration = Duration.milliseconds(50)
    /// The maximum size of a response: 64 KiB.
    private static let maximumSize = 64 * 1024
    /// The maximum `Retry-After`, in seconds: five minutes.
    private static let maximumRetryAfter = 300.0

    private let claims: [String]
    private let url: WebhookURL
    private let signature: WebhookSignature
    private let timeout: Duration
    /// Limits concurrent calls, of which a caller may have half; others wait for their turn.
    private let gate: FairGate
    private let http: any OutgoingHTTP
    private let metrics: WebhookMetrics
    private let clock: ServiceClock

    /// Creates a webhook, with its secret and the time that it may take.
    package init(
        _ configuration: WebhookConfiguration,
        secret: Secret,
        timeout: Duration,
        http: any OutgoingHTTP,
        metrics factory: any MetricsFactory = NOOPMetricsHandler.instance,
        clock: ServiceClock
    ) {
        claims = configuration.claims
        url = configuration.url
        signature = WebhookSignature(secret: secret)
        self.timeout = timeout
        gate = FairGate(
            slots: WebhookConfiguration.concurrency,
            slotsPerCaller: WebhookConfiguration.concurrency / 2,
            duration: Self.usualDuration,
            clock: clock
        )
        self.http = http
        metrics = WebhookMetrics(configuration.name, factory: factory)
        self.clock = clock
    }

    /// Requests a decision; everything except an explicit allow is a denial.
    ///
    /// - Throws: `CancellationError` if the task is cancelled before there is a response.
    package func result(
        for caller: Caller,
        _ scope: TokenScope,
        in call: IncomingCall
    ) async throws(CancellationError) -> WebhookResult {
        let request = WebhookRequest(caller, scope, claims: claims)
        let start = clock.monotonic
        let result: WebhookResult
        do {
            result = try await gate.run(for: request.queue) {
                await send(request.body, call)
            } isSuccess: { result in
                if case .noResponse = result { false } else { true }
            }
        } catch {
            guard error is GateRefusal else { throw CancellationError() }
            result = .overloaded
        }
        if case .noResponse = result, Task.isCancelled { throw CancellationError() }
        metrics.record(result, after: clock.duration(since: start))
        return result
    }

    private func send(_ body: [UInt8], _ call: IncomingCall) async -> WebhookResult {
        var outgoing = OutgoingRequest(.post, url.text)
        outgoing.headers = [
            (name: "Content-Type", value: "application/json"),
            (name: "Accept", value: "application/json"),
            (name: "X-Request-Id", value: call.id),
        ]
        if let trace = call.trace {
            outgoing.headers.append((name: "traceparent", value: trace.forwarded()))
        }
        outgoing.headers += signature.fields(for: body, at: clock.now)
        outgoing.body = Secret(body)
        outgoing.maximumSize = Self.maximumSize
        outgoing.timeout = timeout
        do {
            return Self.read(try await http.send(outgoing))
        } catch {
            switch error {
            case .timedOut: return .noResponse("it timed out after \(timeout)")
            case .tooLarge: return .noDecision("the body is larger than \(Self.maximumSize) bytes")
            case .failed(let reason): return .noResponse(reason)
            }
        }
    }

    private static func read(_ response: OutgoingResponse) -> WebhookResult {
        switch response.status {
        case 200: break
        // A proxy in front returns these while the webhook is unavailable.
        case 429, 500...599:
            return .noResponse(
                "status \(response.status)",
                retryAfter: response.retryAfter(maximum: maximumRetryAfter)
            )
        default: return .noDecision("status \(response.status)")
        }
        do {
            switch try JSONParser.parseObject(response.body.reveal())["allow"] {
            case .bool(true): return .allowed
            case .bool(false): return .denied
            case nil: return .noDecision("allow is missing")
            default: return .noDecision("allow is neither true nor false")
            }
        } catch {
            return .noDecision("\(error)")
        }
    }
}
