import ExpiringCache
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Passes a session's callbacks on to the transfers that they belong to.
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
        // Without a new request the redirection itself becomes the answer.
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
        let answer = HTTPAnswer(
            status: response.statusCode,
            date: response.value(forHTTPHeaderField: "Date"),
            age: response.value(forHTTPHeaderField: "Age"),
            retryAfter: response.value(forHTTPHeaderField: "Retry-After")
        )
        completionHandler(transfer.begin(answer, expectedLength: response.expectedContentLength) ? .allow : .cancel)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        guard transfer(of: dataTask)?.append(data) == true else { return dataTask.cancel() }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        transfer(of: task)?.complete(error)
    }
}
