package import HTTPTypes
package import ServiceSupport

/// A request as it arrived: credentials, origin and ID.
///
/// A class, because all steps share one; its head alone would be a few hundred bytes in the memory of each.
package final class IncomingCall: Sendable {
    /// The request line and header fields, with the credentials in them.
    package let head: HTTPRequest
    /// The ID of the request in the log, the audit trail and the response.
    package let id: String
    /// The trace that the request is part of, if any.
    package let trace: TraceContext?
    /// The address that the request came from.
    package let address: String
    /// When the request arrived, by ``ServiceClock/monotonic``.
    package let start: Int64

    /// Creates the call of a request; it is trusted if it comes from a trusted proxy, which may assign the ID.
    package init(
        _ head: HTTPRequest,
        at start: Int64,
        from address: String = "unknown",
        isTrusted: Bool = false
    ) {
        self.head = head
        self.start = start
        self.address = address
        id = RequestID(head.headerFields, isTrusted: isTrusted).description
        trace = head.headerFields.contains(.traceParent) ? TraceContext(head.headerFields) : nil
    }
}
