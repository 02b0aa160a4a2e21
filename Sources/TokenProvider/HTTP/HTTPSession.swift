import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Sends requests through its own URL session, which stores nothing: no cookies, no cache, no credentials.
///
/// `URLSession.data(for:)` has no limit for the size of a response; a delegate has. FoundationNetworking has none for the time
/// of a slow, continuous response: the provider's time limit ends it.
final class HTTPSession: Sendable {
    let session: URLSession
    let delegate = TransferDelegate()
    /// The maximum time for a response in seconds; the server's settings may set less.
    private static let timeout: TimeInterval = 10

    /// Creates a session with the settings of a server, which are copied.
    init(_ server: TokenServer) {
        var configuration = (server.sessionConfiguration.copy() as? URLSessionConfiguration) ?? .ephemeral
        #if !canImport(FoundationNetworking)
        // A background session has no tasks that return data.
        if configuration.identifier != nil { configuration = .ephemeral }
        #endif
        configuration.httpCookieStorage = nil
        configuration.urlCache = nil
        configuration.urlCredentialStorage = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.timeoutIntervalForRequest = min(Self.timeout, configuration.timeoutIntervalForRequest)
        configuration.timeoutIntervalForResource = min(Self.timeout, configuration.timeoutIntervalForResource)
        session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
    }

    deinit {
        // A session keeps its delegate, its threads and itself alive until it is invalidated.
        session.finishTasksAndInvalidate()
    }

    /// Sends a request, and once more if the connection is lost and the request is a GET; cancelling the task ends the transfer.
    ///
    /// - Throws: `URLError`, ``TokenProviderError`` for a response that is too large, or `CancellationError`.
    func send(_ request: URLRequest) async throws -> ServerResponse {
        do {
            return try await transfer(request)
        } catch let error as URLError where error.code == .networkConnectionLost && request.httpMethod == "GET" {
            // The server may have closed a connection that was kept, as the request was sent.
            return try await transfer(request)
        }
    }

    private func transfer(_ request: URLRequest) async throws -> ServerResponse {
        let task = session.dataTask(with: request)
        let transfer = TransferDelegate.Transfer()
        delegate.register(transfer, for: task)
        defer { delegate.forget(task) }
        do {
            return try await transfer.outcome.value { task.resume() }
        } catch {
            // Not when the caller is cancelled, under a lock of the runtime's: FoundationNetworking waits for the session's
            // queue, which may wait for that lock (swift-corelibs-foundation, issue 5412).
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
