/// There is no value that is good enough.
package struct RefreshError<Failure: RefreshFailure>: Error {
    /// Why the last fetch failed; nil if it took too long, or too many callers wait.
    package let cause: Failure?
    /// The time after which to try again.
    package let retryAfter: Duration
}
