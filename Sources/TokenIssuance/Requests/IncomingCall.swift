package import HTTPTypes
package import ServiceSupport

/// A request as it arrived: credentials, origin and ID.
///
/// A class, because its head alone would be a few hundred bytes in the memory of each step.
package final class IncomingCall: Sendable {
    /// The request line and header fields, with the credentials in them.
    package let head: HTTPRequest
    /// The ID of the request in the log, the audit trail and the response.
    package let id: String
    /// The trace that the request is part of, if any.
    package let trace: TraceContext?
    /// The address that the request came from: that of the connection, or the one that a trusted proxy names.
    package let address: String
    /// When the head of the request arrived, by ``ServiceClock/monotonic``.
    package let start: Int64

    /// Creates the call of a request.
    ///
    /// - Parameters:
    ///   - head: The request line and header fields.
    ///   - start: When it arrived.
    ///   - address: The address that it came from.
    ///   - isTrusted: Whether it comes from a trusted proxy, which may assign the ID. Other clients could choose another
    ///     request's ID and forge audit records.
    package init(
        _ head: HTTPRequest,
        at start: Int64,
        from address: String,
        isTrusted: Bool = false
    ) {
        self.head = head
        self.start = start
        self.address = address
        let assigned = isTrusted ? head.headerFields[.requestID] : nil
        if let assigned, RequestID.isValid(assigned) {
            id = assigned
        } else {
            id = String(UInt64.random(in: .min ... .max), radix: 36)
        }
        trace = TraceContext(head.headerFields)
    }
}

extension HTTPField.Name {
    // A valid field name, spelled out here.
    // swift-format-ignore: NeverForceUnwrap
    package static let requestID = Self("X-Request-Id")!
}
