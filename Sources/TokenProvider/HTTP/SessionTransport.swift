import Foundation
import Timing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Sends requests through its own URL session, which stores nothing: no cookies, no cache, no credentials.
///
/// It copies an app's settings. `URLSession.data(for:)` needs iOS 15 and has no limit for a response; a delegate has.
final class SessionTransport: Sendable {
    let session: URLSession
    let delegate: TransferDelegate
    private let timeout: TimeInterval
    private let bodyLimit: Int
    private let scheduler: Scheduler
    private let isBackground: Bool

    init(
        settings: URLSessionConfiguration? = nil,
        serverTrust: HTTPTransport.ServerTrust? = nil,
        timeout: TimeInterval,
        bodyLimit: Int,
        scheduler: Scheduler = .system
    ) {
        self.timeout = timeout
        self.bodyLimit = bodyLimit
        self.scheduler = scheduler
        delegate = TransferDelegate(serverTrust: serverTrust)
        let configuration = (settings?.copy() as? URLSessionConfiguration) ?? .ephemeral
        #if canImport(FoundationNetworking)
        isBackground = false
        #else
        isBackground = configuration.identifier != nil
        #endif
        configuration.httpCookieStorage = nil
        configuration.urlCache = nil
        configuration.urlCredentialStorage = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.timeoutIntervalForRequest = min(timeout, settings?.timeoutIntervalForRequest ?? timeout)
        configuration.timeoutIntervalForResource = min(timeout, settings?.timeoutIntervalForResource ?? timeout)
        // The provider limits the number of concurrent requests. The session's own limit, six, counts the time that a
        // request waits for a connection against its timeout, so that slow scopes would make the others fail.
        configuration.httpMaximumConnectionsPerHost = 10_000
        session = URLSession(
            configuration: isBackground ? .ephemeral : configuration,
            delegate: delegate,
            delegateQueue: nil
        )
    }

    deinit {
        // A session keeps its delegate, its threads and itself alive until it is invalidated.
        session.finishTasksAndInvalidate()
    }

    /// Sends a request; cancelling the task ends the transfer.
    ///
    /// - Throws: `URLError`, ``TokenProviderError`` for a response that is too large, or `CancellationError`.
    func send(_ request: URLRequest) async throws -> TransferResponse {
        guard !isBackground else {
            throw TokenProviderError(
                .invalidConfiguration,
                "A background URLSessionConfiguration cannot fetch tokens. Use URLSessionConfiguration.ephemeral or .default."
            )
        }
        let task = session.dataTask(with: request)
        let transfer = Transfer(bodyLimit: bodyLimit)
        delegate.register(transfer, for: task)
        defer { delegate.forget(task) }
        // FoundationNetworking has no limit for a whole transfer, so a slow, continuous response would never time out.
        let isLimited = timeout != .infinity
        let cancelTimeout =
            isLimited ? scheduler.schedule(timeout) { transfer.finish(.failure(URLError(.timedOut))) } : nil
        defer { cancelTimeout?() }
        do {
            return try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { continuation in
                    if transfer.deliver(to: continuation) { task.resume() }
                }
            } onCancel: {
                transfer.finish(.failure(CancellationError()))
            }
        } catch {
            // Not in the handler, which runs under a lock of the runtime's: FoundationNetworking waits for the session's queue,
            // which may wait for that lock (swift-corelibs-foundation, issue 5412).
            task.cancel()
            throw (error as? URLError)?.isUntrustedCertificate == true ? URLError(.serverCertificateUntrusted) : error
        }
    }
}

extension URLError {
    /// FoundationNetworking has no code for a certificate that libcurl refuses, only libcurl's text.
    fileprivate var isUntrustedCertificate: Bool {
        code == .unknown && ["SSL certificate problem", "SSL: "].contains { localizedDescription.hasPrefix($0) }
    }
}
