/// Why a fetch failed.
package protocol RefreshFailure: Error {
    /// The time after which the server asks to try again; nil if it says nothing.
    var retryAfter: Duration? { get }
}
