import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Forwards a session's callbacks to their transfers.
final class TransferDelegate: NSObject, URLSessionDataDelegate, Sendable {
    private let transfers = Lock<[Int: Transfer]>([:])

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
        // The redirection itself becomes the response: credentials are sent to no other URL.
        completionHandler(nil)
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
        let isWelcome = transfer.begin(ServerResponse(response), expectedLength: response.expectedContentLength)
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
        // The credentials are header fields of the caller, so a 401 is a response, regardless of its authentication
        // scheme. FoundationNetworking requests a user and a password instead, and without them the task never ends.
        guard let response = challenge.failureResponse as? HTTPURLResponse, response.statusCode == 401 else {
            return completionHandler(.performDefaultHandling, nil)
        }
        transfer(of: task)?.outcome.resolve(.success(ServerResponse(response)))
        completionHandler(.cancelAuthenticationChallenge, nil)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        transfer(of: task)?.complete(error, response: task.response as? HTTPURLResponse)
    }
}

extension TransferDelegate {
    /// A request in progress: collects a bounded response.
    final class Transfer: Sendable {
        let outcome = Promise<ServerResponse>()
        private let response = Lock<ServerResponse?>(nil)

        private static let tooLarge = TokenProviderError(
            .unexpectedResponse,
            "The response is too large for a token. Check that the URL is the token server's."
        )

        /// Begins a response.
        ///
        /// - Returns: Whether to receive its body.
        func begin(_ response: ServerResponse, expectedLength: Int64) -> Bool {
            guard expectedLength <= Int64(ServerResponse.bodyLimit) else {
                outcome.resolve(.failure(Self.tooLarge))
                return false
            }
            self.response.withLock { $0 = response }
            return true
        }

        /// Appends bytes of the body.
        ///
        /// - Returns: Whether to receive more.
        func append(_ bytes: Data) -> Bool {
            let fits = response.withLock { response in
                guard let length = response?.body.count, length + bytes.count <= ServerResponse.bodyLimit else {
                    return false
                }
                response?.body.append(bytes)
                return true
            }
            if !fits { outcome.resolve(.failure(Self.tooLarge)) }
            return fits
        }

        /// Ends the transfer with the collected response, unless there was an error or it has already ended.
        func complete(_ error: (any Error)?, response: HTTPURLResponse? = nil) {
            if let error { return outcome.resolve(.failure(error)) }
            // FoundationNetworking doesn't report a redirection without a target to the delegate.
            let complete = self.response.withLock { $0 } ?? response.map { ServerResponse($0) }
            let noResponse = TokenProviderError(.unavailable, "The token server sent no HTTP response.")
            outcome.resolve(complete.map { .success($0) } ?? .failure(noResponse))
        }
    }
}
