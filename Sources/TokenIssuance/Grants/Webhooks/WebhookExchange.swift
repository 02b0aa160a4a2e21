import FleetToken
import ServiceConfiguration
import StrictCoding
import Telemetry

/// One question to a webhook, and its answer.
struct WebhookExchange: Sendable {
    let url: WebhookURL
    let signature: WebhookSignature
    let timeout: Duration
    /// Bounds the questions under way.
    let gate: FairGate
    let transport: any WebhookTransport
    /// Counts answers; nil where nobody wants to know.
    let metrics: WebhookMetrics?
    let now: @Sendable () -> NumericDate

    /// Asks, and holds everything but a clear yes for a no.
    func ask(_ question: WebhookQuestion) async -> WebhookAnswer {
        let start = ContinuousClock.now
        let answer = await gate.pass(question.asker) { await self.answer(question) } ?? .overloaded
        metrics?.duration[WebhookResultLabel(answer)].record(start.duration(to: .now))
        return answer
    }

    private func answer(_ question: WebhookQuestion) async -> WebhookAnswer {
        var headers = [
            (name: "Content-Type", value: "application/json"),
            (name: "Accept", value: "application/json"),
            (name: "X-Request-Id", value: question.requestID),
        ]
        if let trace = TraceContext.current { headers.append((name: "traceparent", value: trace.forwarded())) }
        let request = WebhookRequest(
            url: url,
            headers: headers + signature.fields(for: question.body, at: now()),
            body: question.body,
            timeout: timeout
        )
        do {
            return Self.read(try await transport.post(request))
        } catch {
            switch error {
            case .timedOut: return .noAnswer("it took longer than \(timeout)")
            case .tooLarge: return .noDecision("it is larger than \(WebhookRequest.maximumReplySize) bytes")
            case .failed(let reason): return .noAnswer(reason)
            }
        }
    }

    private static func read(_ reply: WebhookReply) -> WebhookAnswer {
        switch reply.status {
        case 200: break
        // Whatever is in front of the webhook says so while the webhook is away.
        case 429, 500...599: return .noAnswer("status \(reply.status)", retryAfter: reply.retryAfter)
        default: return .noDecision("status \(reply.status)")
        }
        do {
            switch try JSONParser.parseObject(reply.body)["allow"] {
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
