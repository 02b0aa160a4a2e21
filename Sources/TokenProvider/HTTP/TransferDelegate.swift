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
            let error = TokenProviderError(
                .insecureConnection,
                "The app's serverTrust rejected the token server's certificate. Check the certificate and the app's pins."
            )
            transfer(of: task)?.outcome.resolve(.failure(error))
            return completionHandler(.cancelAuthenticationChallenge, nil)
        }
        // The credentials are header fields of the caller, so a 401 is a response, regardless of its authentication
        // scheme. FoundationNetworking requests a user and a password instead, and without them the task never ends.
        guard let response = challenge.failureResponse as? HTTPURLResponse, response.statusCode == 401 else {
            return completionHandler(.performDefaultHandling, nil)
        }
        transfer(of: task)?.outcome.resolve(.success(TransferResponse(response)))
        completionHandler(.cancelAuthenticationChallenge, nil)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        transfer(of: task)?.complete(error, response: task.response as? HTTPURLResponse)
    }
}

/// A request in progress: collects a bounded response.
final class Transfer: Sendable {
    let outcome = Promise<TransferResponse>()
    private let answer = Lock<TransferResponse?>(nil)
    private let bodyLimit: Int

    init(bodyLimit: Int) {
        self.bodyLimit = bodyLimit
    }

    /// Begins a response.
    ///
    /// - Returns: Whether to receive its body.
    func begin(_ answer: TransferResponse, expectedLength: Int64) -> Bool {
        guard expectedLength <= Int64(bodyLimit) else {
            outcome.resolve(.failure(TokenProviderError.tooLarge))
            return false
        }
        self.answer.withLock { $0 = answer }
        return true
    }

    /// Appends bytes of the body.
    ///
    /// - Returns: Whether to receive more.
    func append(_ bytes: some Collection<UInt8>) -> Bool {
        let fits = answer.withLock { answer in
            guard let length = answer?.body.count, length + bytes.count <= bodyLimit else { return false }
            answer?.body.append(contentsOf: bytes)
            return true
        }
        if !fits { outcome.resolve(.failure(TokenProviderError.tooLarge)) }
        return fits
    }

    /// Ends the transfer with the collected response, unless there was an error or it has already ended.
    func complete(_ error: (any Error)?, response: HTTPURLResponse? = nil) {
        if let error { return outcome.resolve(.failure(error)) }
        // FoundationNetworking doesn't report a redirection without a target to the delegate.
        let answer = answer.withLock { $0 } ?? response.map { TransferResponse($0) }
        outcome.resolve(answer.map { .success($0) } ?? .failure(TokenProviderError.noAnswer))
    }
}

extension TokenProviderError {
    static let tooLarge = Self(
        .unexpectedResponse,
        "The response is too large for a token. Check that the URL is the token server's."
    )
    static let noAnswer = Self(.unavailable, "The token server sent no HTTP response.")
}
