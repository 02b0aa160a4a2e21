import Foundation
import Timing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Forwards a session's callbacks to their transfers.
final class TransferDelegate: NSObject, URLSessionDataDelegate, Sendable {
    private let transfers = Lock<[Int: Transfer]>([:])
    private let serverTrust: HTTPTransport.ServerTrust?

    #if canImport(FoundationNetworking)
    // Unavailable there, where libcurl evaluates certificates; for tests of the delegate.
    static let serverTrustMethod = "NSURLAuthenticationMethodServerTrust"
    #else
    static let serverTrustMethod = NSURLAuthenticationMethodServerTrust
    #endif

    init(serverTrust: HTTPTransport.ServerTrust? = nil) {
        self.serverTrust = serverTrust
    }

    func register(_ transfer: Transfer, for task: URLSessionTask) {
        transfers.withLock { $0[task.taskIdentifier] = transfer }
    }

    func forget(_ task: URLSessionTask) {
        transfers.withLock { $0[task.taskIdentifier] = nil }
    }

    private func transfer(of task: URLSessionTask) -> Transfer? {
        transfers.withLock { $0[task.taskIdentifier] }
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        // Without a new request, the redirection itself becomes the response.
        completionHandler(task.originalRequest.flatMap { RedirectPolicy.request(redirecting: $0, to: request) })
    }

    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        guard let transfer = transfer(of: dataTask), let response = response as? HTTPURLResponse else {
            return completionHandler(.cancel)
        }
        let isWelcome = transfer.begin(TransferResponse(response), expectedLength: response.expectedContentLength)
        completionHandler(isWelcome ? .allow : .cancel)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        guard transfer(of: dataTask)?.append(data) == true else { return dataTask.cancel() }
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        if let serverTrust, challenge.protectionSpace.authenticationMethod == Self.serverTrustMethod,
            !serverTrust(challenge)
        {
            transfer(of: task)?.finish(.failure(TokenProviderError.untrustedServer))
            return completionHandler(.cancelAuthenticationChallenge, nil)
        }
        // The credentials are header fields of the caller, so a 401 is a response, regardless of its authentication
        // scheme. FoundationNetworking requests a user and a password instead, and without them the task never ends.
        guard let response = challenge.failureResponse as? HTTPURLResponse, response.statusCode == 401 else {
            return completionHandler(.performDefaultHandling, nil)
        }
        transfer(of: task)?.finish(.success(TransferResponse(response)))
        completionHandler(.cancelAuthenticationChallenge, nil)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        transfer(of: task)?.complete(error, response: task.response as? HTTPURLResponse)
    }
}

extension TokenProviderError {
    static let untrustedServer = Self(
        .insecureConnection,
        "The app's serverTrust rejected the token server's certificate. Check the certificate and the app's pins."
    )
}
