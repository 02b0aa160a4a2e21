import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// An answer of the token server: what of its head is needed, and its bounded body.
struct HTTPAnswer: Sendable {
    /// The status code.
    var status: Int
    /// `Date`: what the server's clock showed.
    var date: String?
    /// `Age`: how many seconds a cache on the way has kept the answer.
    var age: String?
    /// `Retry-After`.
    var retryAfter: String?
    /// `Location`: where a redirection points to.
    var location: String?
    /// `X-Request-Id`: what the server's log knows the request by.
    var requestID: String?
    /// The body.
    var body: [UInt8] = []
}

extension HTTPAnswer {
    /// Creates an answer with the head of a response.
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
