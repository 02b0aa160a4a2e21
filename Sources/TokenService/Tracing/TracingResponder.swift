import HTTPServer
import HTTPTypes
import Telemetry
import Tracing

/// Records each request as a span of the caller's trace.
struct TracingResponder: Responder {
    let responder: any Responder
    let spans: SpanRecorder

    func respond(to request: Request) async -> Response {
        let method = MethodLabel(method: request.head.method.rawValue)
        let route = Self.route(of: request.head)
        var attributes: SpanAttributes = ["http.request.method": .string(method.rawValue)]
        if let route { attributes["http.route"] = route.rawValue }
        let name = [method == .other ? "HTTP" : method.rawValue, route?.rawValue].compactMap(\.self)
        return await spans.record(
            name.joined(separator: " "),
            .server,
            in: spans.context(of: request.head.headerFields),
            attributes
        ) { span in
            var request = request
            // The log, the audit trail and requests to webhooks continue this span's trace.
            spans.inject(span, into: &request.head.headerFields)
            let response = await responder.respond(to: request)
            span.attributes["http.response.status_code"] = response.status.code
            if response.status.code >= 500 { span.fail("\(response.status.code)") }
            return response
        }
    }

    /// Returns the template of a request's route; nil if it has none.
    private static func route(of head: HTTPRequest) -> RouteLabel? {
        guard let target = try? RequestTarget(head.path ?? ""),
            let route = try? Route(method: head.method, target: target), route.label != .other
        else { return nil }
        return route.label
    }
}

extension Responder {
    /// Returns a responder that also records spans, if there is a recorder.
    func traced(by spans: SpanRecorder?) -> any Responder {
        spans.map { TracingResponder(responder: self, spans: $0) } ?? self
    }
}
