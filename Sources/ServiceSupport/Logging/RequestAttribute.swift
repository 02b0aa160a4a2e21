package import Logging

/// The metadata that describes a request, shown next to the message and separate from other metadata.
///
/// Its names are Google Cloud's and OpenTelemetry's. There is no address, nor a host, which the client controls. IDs are
/// in development's `requestUrl` only.
package enum RequestAttribute: String, CaseIterable {
    /// Google Cloud's `HttpRequest`, of a request that has ended.
    case httpRequest
    case requestID = "request_id"
    case traceID = "trace_id"
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

    /// The request's attributes, in the order of their declaration.
    var requestAttributes: [(name: String, value: Logger.MetadataValue)] {
        RequestAttribute.allCases.compactMap { attribute in self[attribute].map { (attribute.rawValue, $0) } }
    }

    /// All but the request's attributes.
    var withoutRequestAttributes: Self { filter { RequestAttribute(rawValue: $0.key) == nil } }
}
