import ServiceSupport
import Synchronization

/// Values that are fetched from Google, one for each account.
///
/// Values of removed accounts stay; at 100 accounts all values are dropped.
final class FetchedByAccount<Account: Hashable & Sendable, Value: Sendable>: Sendable {
    private static var capacity: Int { 100 }

    private let clock: ServiceClock
    private let fetch: @Sendable (Account) async throws(IAMError) -> Fresh<Value>
    private let values = Mutex<[Account: Refreshing<Value, IAMError>]>([:])

    /// Creates an empty collection.
    init(clock: ServiceClock, fetch: @escaping @Sendable (Account) async throws(IAMError) -> Fresh<Value>) {
        self.clock = clock
        self.fetch = fetch
    }

    /// Whether a fetch runs.
    var isFetching: Bool { values.withLock { $0.values.contains { $0.isFetching } } }

    /// Returns an account's value.
    ///
    /// A task that is cancelled stops waiting, so its signature leaves its slot.
    ///
    /// - Throws: ``IAMError`` with the time after which to try again.
    func value(of account: Account, youngerThan maximumAge: Duration? = nil) async throws(IAMError) -> Value {
        do throws(RefreshError<IAMError>) {
            return try await refreshing(account).value(youngerThan: maximumAge)
        } catch {
            throw (error.cause ?? Self.unreachable).retryable(after: error.retryAfter)
        }
    }

    private static var unreachable: IAMError { IAMError("Google is unreachable: it did not respond in time.") }

    /// The value of an account if it is good now, without a fetch.
    func current(of account: Account) -> Value? {
        values.withLock { $0[account] }?.current?.value
    }

    private func refreshing(_ account: Account) -> Refreshing<Value, IAMError> {
        values.withLock { values in
            if let known = values[account] { return known }
            if values.count >= Self.capacity { values.removeAll() }
            var policy = RefreshPolicy()
            // Longer than a signature may take: a slow fetch serves the next ones.
            policy.timeout = .seconds(10)
            policy.maximumRetryAfter = .seconds(300)
            // Signatures that wait are bounded by themselves.
            policy.maximumWaiting = .max
            let new = Refreshing(policy, clock: clock) { [fetch] () async throws(IAMError) in try await fetch(account) }
            values[account] = new
            return new
        }
    }
}
