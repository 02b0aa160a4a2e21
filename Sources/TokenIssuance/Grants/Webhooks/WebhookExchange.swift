import FleetToken
import ServiceConfiguration
import StrictCoding
import Telemetry
import TokenMinting

/// One question to a webhook, and its answer.
struct WebhookExchange: Sendable {
    let url: WebhookURL
    let signature: WebhookSignature
    let timeout: Duration
    /// Limits concurrent calls, of which a caller may have half; others wait for their turn.
    let admission: Admission
    let transport: any WebhookTransport
    /// Metrics of the results; nil for none.
    let metrics: WebhookMetrics?
    let now: @Sendable () -> NumericDate

    /// Calls the webhook, and treats everything except an explicit allow as a denial.
    func ask(_ question: WebhookQuestion) async -> WebhookAnswer {
        let start = ContinuousClock.now
        let answer: WebhookAnswer
        do {
            answer = try await admission.run(for: question.asker) { await self.answer(question) }
        } catch {
            answer = error is AdmissionRefusal ? .overloaded : .noAnswer("the request was cancelled")
        }
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
            case .timedOut: return .noAnswer("it timed out after \(timeout)")
            case .tooLarge: return .noDecision("the body is larger than \(WebhookRequest.maximumReplySize) bytes")
            case .failed(let reason): return .noAnswer(reason)
            }
        }
    }

    private static func read(_ reply: WebhookReply) -> WebhookAnswer {
        switch reply.status {
        case 200: break
        // A proxy in front returns these while the webhook is unavailable.
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
