import ExpiringCache
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Sends requests through a URL session of its own that remembers nothing: no cookies, no cache, no credentials.
///
/// `URLSession.data(for:)` needs iOS 15, and buffers whatever it is sent; a delegate stops at the limit.
final class SessionTransport: Sendable {
    private let session: URLSession
    let delegate = TransferDelegate()
    private let timeout: TimeInterval
    private let bodyLimit: Int
    private let scheduler: CacheScheduler

    init(timeout: TimeInterval, bodyLimit: Int, scheduler: CacheScheduler = .system) {
        self.timeout = timeout
        self.bodyLimit = bodyLimit
        self.scheduler = scheduler
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpCookieStorage = nil
        configuration.urlCache = nil
        configuration.urlCredentialStorage = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.timeoutIntervalForRequest = timeout
        configuration.timeoutIntervalForResource = timeout
        // How many requests run at once is the provider's to say. The session's own limit, six, lets the clock of a
        // request run while it waits for a connection, so that slow scopes fail those that are not.
        configuration.httpMaximumConnectionsPerHost = 10_000
        session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
    }

    deinit {
        // A session keeps its delegate, its threads and itself alive until it is told to end.
        session.finishTasksAndInvalidate()
    }

    /// Sends a request; cancelling the task ends the transfer.
    ///
    /// - Throws: `URLError`, ``TokenProviderError`` for an answer that is too large, or `CancellationError`.
    func send(_ request: URLRequest) async throws -> HTTPAnswer {
        let task = session.dataTask(with: request)
        let transfer = Transfer(bodyLimit: bodyLimit)
        delegate.register(transfer, for: task)
        defer { delegate.forget(task) }
        // FoundationNetworking knows no limit for the whole of a transfer, so an answer that comes in drops has none.
        let cancelTimeout = limit {
            transfer.finish(.failure(URLError(.timedOut)))
            task.cancel()
        }
        defer { cancelTimeout?() }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                transfer.deliver(to: continuation)
                task.resume()
            }
        } onCancel: {
            // The session tells its delegate too, but later and on a queue of its own.
            transfer.finish(.failure(CancellationError()))
            task.cancel()
        }
    }

    /// Starts the timer that ends a transfer, unless it would never end.
    private func limit(_ end: @escaping @Sendable () -> Void) -> (@Sendable () -> Void)? {
        timeout == .infinity ? nil : scheduler.schedule(timeout, end)
    }
}
