/// Sends requests to other servers: the one port through which Google, webhooks and issuers are reached.
///
/// It repeats nothing because of a status and knows no server. What to send, how long to wait, and what a status or an error
/// means is decided by its users:
///
/// ```
/// var request = OutgoingRequest(.get, "https://issuer.example/keys")
/// request.timeout = .seconds(5)
/// let response = try await http.send(request)
/// ```
///
/// In the service it is an ``OutgoingClient``; tests put a fake in its place.
package protocol OutgoingHTTP: Sendable {
    /// Sends a request and reads the whole response; a redirect is a response like others.
    ///
    /// - Throws: ``OutgoingError`` if there is no response.
    func send(_ request: OutgoingRequest) async throws(OutgoingError) -> OutgoingResponse
}
