import FleetToken
package import NIOHTTP1

extension HTTPHeaders {
    /// For how many seconds the sender asks to be left alone, at most `maximum`; nil when it doesn't.
    package func retryAfter(maximum: Double) -> Double? {
        RetryAfter.seconds(
            first(name: "retry-after"),
            date: first(name: "date").flatMap(HTTPDate.parse),
            maximum: maximum
        )
    }
}
