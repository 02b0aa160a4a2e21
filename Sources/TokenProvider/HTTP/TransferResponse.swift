import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A response: the relevant header fields and the bounded body.
package struct TransferResponse: Sendable {
    /// The status code.
    package var status: Int
    /// `Date`: the time on the server's clock.
    package var date: String?
    /// `Age`: the number of seconds that an intermediate cache has kept the response.
    var age: String?
    package var retryAfter: String?
    /// `Location`: the target of a redirection.
    var location: String?
    /// `X-Request-Id`: the request ID in the server's log.
    var requestID: String?
    package var body: [UInt8] = []
}

extension TransferResponse {
    /// Creates a response from the head of a URL response.
    init(_ response: HTTPURLResponse) {
        self.init(
            status: response.statusCode,
            date: response.value(forHTTPHeaderField: "Date"),
            age: response.value(forHTTPHeaderField: "Age"),
            retryAfter: response.value(forHTTPHeaderField: "Retry-After"),
            location: response.value(forHTTPHeaderField: "Location"),
            requestID: response.value(forHTTPHeaderField: "X-Request-Id")
        )
    }
}
