import FleetToken
package import NIOHTTP1

extension HTTPHeaders {
    /// Returns the seconds of `Retry-After`, at most `maximum`; nil if there is none.
    package func retryAfter(maximum: Double) -> Double? {
        RetryAfter.seconds(
            first(name: "retry-after"),
            date: first(name: "date").flatMap(HTTPDate.parse),
            maximum: maximum
        )
    }
}
