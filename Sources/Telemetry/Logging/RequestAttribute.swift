/// The metadata that describes a request: named as in OpenTelemetry's conventions, and shown next to the message,
/// separate from other metadata.
enum RequestAttribute: String, CaseIterable {
    case requestID = "request_id"
    case traceID = "trace_id"
    /// The caller's span: this service has none of its own.
    case spanID = "span_id"
    case traceFlags = "trace_flags"
    case method = "http.request.method"
    case route = "http.route"
    case status = "http.response.status_code"
    /// In seconds.
    case duration = "http.server.request.duration"
    case clientAddress = "client.address"
    /// The caller's name in the configuration.
    case caller = "fleet_token.caller"
    case userAgent = "user_agent.original"
    case errorType = "error.type"
    /// The limit that was reached, as its setting in the configuration.
    case limit = "fleet_token.limit"
}
