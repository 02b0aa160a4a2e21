package import FleetToken
package import HTTPTypes

/// What the pipeline knows of a request beside what it asks for: its credentials, its origin, and its ID.
package struct RequestContext {
    /// The request's head, with the credentials in it.
    package let head: HTTPRequest
    /// The names in the client certificate's SAN, if TLS asked for one.
    package let certificateNames: [String]
    /// The address that the request came from.
    package let address: String
    /// The ID of the request in the log, the audit trail and the answer.
    package let requestID: String
    /// The ID of the trace that the request is part of, if it has one.
    package var traceID: String?

    /// Creates the context of a request.
    package init(
        head: HTTPRequest,
        certificateNames: [String],
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

/// What a request asks for, as far as it is known.
package struct RequestedToken {
    /// The kind of token.
    package let kind: TokenKind?
    /// What the token opens; nil where it is not known, since a body is read only once the caller is known.
    package let scope: TokenScope?

    /// Creates a description of what a request asks for.
    package init(kind: TokenKind?, scope: TokenScope?) {
        self.kind = kind
        self.scope = scope
    }
}
