import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Sends requests through a URL session of its own that remembers nothing: no cookies, no cache, no credentials.
///
/// `URLSession.data(for:)` needs iOS 15, and buffers whatever it is sent; a delegate stops at the limit.
final class HTTPTransport: Sendable {
    private let session: URLSession
    let delegate = TransferDelegate()
    private let bodyLimit: Int

    init(timeout: TimeInterval, bodyLimit: Int) {
        self.bodyLimit = bodyLimit
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpCookieStorage = nil
        configuration.urlCache = nil
        configuration.urlCredentialStorage = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.timeoutIntervalForRequest = timeout
        configuration.timeoutIntervalForResource = timeout
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
}
