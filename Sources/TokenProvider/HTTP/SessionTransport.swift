package import Foundation
package import Timing

#if canImport(FoundationNetworking)
package import FoundationNetworking
#endif

/// Sends requests through a session of its own, or the app's transport.
package struct HTTPSender: Sendable {
    /// The sender's own session; nil if the app's function sends requests.
    let session: SessionTransport?
    /// Sends a request; cancelling the task ends it.
    package let send: @Sendable (URLRequest) async throws -> TransferResponse

    /// Creates a sender with a time limit in seconds and a size limit for a response's body in bytes.
    package init(
        _ transport: HTTPTransport,
        timeout: TimeInterval,
        bodyLimit: Int,
        scheduler: Scheduler = .system
    ) {
        switch transport.kind {
        case .session(let settings, let serverTrust):
            let session = SessionTransport(
                settings: settings,
                serverTrust: serverTrust,
                timeout: timeout,
                bodyLimit: bodyLimit,
                scheduler: scheduler
            )
            self.session = session
            self.send = { try await session.send($0) }
        case .function(let send):
            session = nil
            self.send = { request in
                let (body, response) = try await send(request, timeout, bodyLimit)
                return try TransferResponse(body, response, to: request, bodyLimit: bodyLimit)
            }
        }
    }
}

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
        let cancelTimeout = scheduler.schedule(timeout) { transfer.outcome.resolve(.failure(URLError(.timedOut))) }
        defer { cancelTimeout() }
        do {
            return try await transfer.outcome.value { task.resume() }
        } catch {
            // Not when the caller is cancelled, under a lock of the runtime's: FoundationNetworking waits for the session's queue,
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

/// A response: the relevant header fields and the bounded body.
package struct TransferResponse: Sendable {
    /// The status code.
    package var status: Int
    /// `Date`: the time on the server's clock.
    package var date: String?
    /// `Age`: the number of seconds that an intermediate cache has kept the response.
    var age: String?
    package var retryAfter: String?
    /// `Location`: the target of a redirection.
    var location: String?
    /// `X-Request-Id`: the request ID in the server's log.
    var requestID: String?
    package var body: [UInt8] = []
}

extension TransferResponse {
    /// Creates a response from the head of a URL response.
    init(_ response: HTTPURLResponse) {
        self.init(
            status: response.statusCode,
            date: response.value(forHTTPHeaderField: "Date"),
            age: response.value(forHTTPHeaderField: "Age"),
            retryAfter: response.value(forHTTPHeaderField: "Retry-After"),
            location: response.value(forHTTPHeaderField: "Location"),
            requestID: response.value(forHTTPHeaderField: "X-Request-Id")
        )
    }

    /// Creates a response to a request from the result of the app's transport.
    init(_ body: Data, _ response: URLResponse, to request: URLRequest, bodyLimit: Int) throws(TokenProviderError) {
        guard let response = response as? HTTPURLResponse else { throw .noAnswer }
        guard RedirectPolicy.isSameOrigin(request.url, response.url) else {
            throw TokenProviderError(
                .redirected,
                "The app's HTTPTransport followed a redirect to another server, with the credentials. "
                    + "Use HTTPTransport.session."
            )
        }
        guard body.count <= bodyLimit else { throw .tooLarge }
        self.init(response)
        self.body = Array(body)
    }
}
