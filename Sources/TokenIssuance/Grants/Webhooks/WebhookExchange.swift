import FleetToken
import ServiceSupport
import StrictCoding
import TokenMinting

/// Sends requests to a webhook, and reads its responses.
struct WebhookExchange: Sendable {
    /// The maximum size of a response: 64 KiB.
    private static let maximumSize = 64 * 1024
    /// The maximum `Retry-After`, in seconds: five minutes.
    private static let maximumRetryAfter = 300.0

    let url: WebhookURL
    let signature: WebhookSignature
    let timeout: Duration
    /// Limits concurrent calls, of which a caller may have half; others wait for their turn.
    let admission: Admission
    let limits: AdmissionLimits
    let http: any OutgoingHTTP
    /// Metrics of the results; nil for none.
    let metrics: WebhookMetrics?
    let clock: ServiceClock

    /// Calls the webhook, and treats everything except an explicit allow as a denial.
    func result(of request: WebhookRequest) async -> WebhookResult {
        let start = clock.monotonic
        let result: WebhookResult
        do {
            result = try await admission.run(for: request.turn, within: limits) { await self.send(request) }
        } catch {
            result = error is AdmissionRefusal ? .overloaded : .noResponse("the request was cancelled")
        }
        metrics?.duration[WebhookResultLabel(result)].record(clock.duration(since: start))
        return result
    }

    private func send(_ request: WebhookRequest) async -> WebhookResult {
        var outgoing = OutgoingRequest(.post, url.text)
        outgoing.headers = [
            (name: "Content-Type", value: "application/json"),
            (name: "Accept", value: "application/json"),
            (name: "X-Request-Id", value: request.requestID),
        ]
        if let trace = TraceContext.current {
            outgoing.headers.append((name: "traceparent", value: trace.forwarded()))
        }
        outgoing.headers += signature.fields(for: request.body, at: clock.now)
        outgoing.body = Secret(request.body)
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
