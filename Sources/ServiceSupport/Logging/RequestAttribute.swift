package import Logging

/// The metadata that describes a request: named as in OpenTelemetry's conventions, and shown next to the message,
/// separate from other metadata.
///
/// In production there is no `url.path`, which contains an ID, and no `server.address`, which the client controls.
package enum RequestAttribute: String, CaseIterable {
    case requestID = "request_id"
    case traceID = "trace_id"
    /// The caller's span: this service has none of its own.
    case spanID = "span_id"
    case traceFlags = "trace_flags"
    case method = "http.request.method"
    case route = "http.route"
    /// The request's path, in development only.
    case path = "url.path"
    case status = "http.response.status_code"
    /// In seconds.
    case duration = "http.server.request.duration"
    /// The caller's name in the configuration; after a failed authentication, whose credentials came closest.
    case caller = "fleet_token.caller"
    case errorType = "error.type"
    /// The limit that was reached, as its setting in the configuration.
    case limit = "fleet_token.limit"
}

extension Logger.Metadata {
    /// The value of an attribute of the request.
    package subscript(attribute: RequestAttribute) -> Logger.MetadataValue? {
        get { self[attribute.rawValue] }
        set { self[attribute.rawValue] = newValue }
    }
}
