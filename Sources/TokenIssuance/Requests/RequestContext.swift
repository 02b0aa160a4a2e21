package import FleetToken
package import HTTPTypes
package import ServiceSupport

/// The context of a request: its credentials, origin and ID.
///
/// A class, because each step of a request gets it.
package final class RequestContext: Sendable {
    /// The request's head, with the credentials in it.
    package let head: HTTPRequest
    /// The names in the client certificate's SAN, if TLS requested one.
    package let certificateNames: [CertificateName]
    /// The address that the request came from.
    package let address: String
    /// The ID of the request in the log, the audit trail and the answer.
    package let requestID: String
    /// The ID of the trace that the request is part of, if it has one.
    package let traceID: String?

    /// Creates the context of a request.
    package init(
        head: HTTPRequest,
        certificateNames: [CertificateName],
        address: String,
        requestID: String,
        traceID: String? = nil
    ) {
        self.head = head
        self.certificateNames = certificateNames
        self.address = address
        self.requestID = requestID
        self.traceID = traceID
    }
}

/// The requested token, as far as it is known.
package struct RequestedToken {
    /// The kind of token.
    package let kind: TokenKind?
    /// The requested scope; nil if unknown, because the body is read only after authentication.
    package let scope: TokenScope?

    /// Creates a description of a requested token.
    package init(kind: TokenKind?, scope: TokenScope?) {
        self.kind = kind
        self.scope = scope
    }
}
