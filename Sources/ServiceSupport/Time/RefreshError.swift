/// No usable value: the fetch failed or took too long, or too many callers wait for it.
package struct RefreshError<Failure: RefreshFailure>: Error {
    /// Why the last fetch failed; nil if it took too long, too many callers wait, or the task was cancelled.
    package let cause: Failure?
    /// The time after which to try again.
    package let retryAfter: Duration
}
