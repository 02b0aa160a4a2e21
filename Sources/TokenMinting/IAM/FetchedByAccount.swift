import ServiceSupport
import Synchronization

/// Values that are fetched from Google, one for each account.
///
/// Accounts come from the configuration, so there are few. Those of a former configuration stay until there are too many, and all are
/// forgotten.
final class FetchedByAccount<Account: Hashable & Sendable, Value: Sendable>: Sendable {
    private static var capacity: Int { 100 }

    private let clock: ServiceClock
    private let fetch: @Sendable (Account) async throws(IAMError) -> Fresh<Value>
    private let values = Mutex<[Account: Refreshing<Value, IAMError.Fetch>]>([:])

    /// Creates an empty collection.
    init(clock: ServiceClock, fetch: @escaping @Sendable (Account) async throws(IAMError) -> Fresh<Value>) {
        self.clock = clock
        self.fetch = fetch
    }

    /// Whether a fetch runs.
    var isFetching: Bool { values.withLock { $0.values.contains { $0.isFetching } } }

    /// Returns an account's value.
    ///
    /// - Throws: ``IAMError`` with the time after which to try again.
    func value(of account: Account, youngerThan maximumAge: Duration? = nil) async throws(IAMError) -> Value {
        do throws(RefreshError<IAMError.Fetch>) {
            return try await refreshing(account).value(youngerThan: maximumAge)
        } catch {
            let reason = error.cause?.error ?? IAMError("Google is unreachable: it did not respond in time.")
            throw reason.retryable(after: error.retryAfter)
        }
    }

    /// The value of an account if it is good now, without a fetch.
    func current(of account: Account) -> Value? {
        values.withLock { $0[account] }?.current?.value
    }

    /// Uses a value that was fetched elsewhere.
    func insert(_ fresh: Fresh<Value>, of account: Account) {
        refreshing(account).insert(fresh)
    }

    private func refreshing(_ account: Account) -> Refreshing<Value, IAMError.Fetch> {
        values.withLock { values in
            if let known = values[account] { return known }
            if values.count >= Self.capacity { values.removeAll() }
            var policy = RefreshPolicy()
            // Longer than a signature may take, which ends first.
            policy.timeout = .seconds(10)
            policy.maximumRetryAfter = .seconds(300)
            // Signatures that wait are bounded by themselves.
            policy.maximumWaiting = .max
            let new = Refreshing(policy, clock: clock) { [fetch] () async throws(IAMError.Fetch) in
                do throws(IAMError) { return try await fetch(account) } catch { throw IAMError.Fetch(error: error) }
            }
            values[account] = new
            return new
        }
    }
}
