/// A request that the server refuses before a responder gets it.
///
/// The owner of a listener creates the response, so that it has the form of all errors of the service.
package enum ProtocolError: Error, Hashable {
    /// The request or its end is malformed or ambiguous.
    case malformed
    /// The body has a transfer coding other than `chunked`.
    case unsupportedCoding
    /// The request line and header fields are too large or too many.
    case headTooLarge
    /// The request was not received in time.
    case timeout
}
