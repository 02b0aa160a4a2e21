import Foundation
import Timing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A request in progress: collects a bounded response and delivers it exactly once.
///
/// The waiting caller and the session's delegate arrive in either order: a task may be cancelled before its
/// continuation exists.
final class Transfer: Sendable {
    typealias Outcome = Result<TransferResponse, any Error>

    private struct State {
        var answer: TransferResponse?
        var continuation: CheckedContinuation<TransferResponse, any Error>?
        var outcome: Outcome?
    }

    private let state = Lock(State())
    private let bodyLimit: Int

    init(bodyLimit: Int) {
        self.bodyLimit = bodyLimit
    }

    /// Sets the continuation for the outcome; an outcome that exists already is delivered immediately.
    ///
    /// - Returns: Whether the outcome is still to come.
    @discardableResult
    func deliver(to continuation: CheckedContinuation<TransferResponse, any Error>) -> Bool {
        let outcome = state.withLock { state in
            if state.outcome == nil { state.continuation = continuation }
            return state.outcome
        }
        guard let outcome else { return true }
        continuation.resume(with: outcome)
        return false
    }

    /// Begins a response.
    ///
    /// - Returns: Whether to receive its body.
    func begin(_ answer: TransferResponse, expectedLength: Int64) -> Bool {
        guard expectedLength <= Int64(bodyLimit) else {
            finish(.failure(TokenProviderError.tooLarge))
            return false
        }
        state.withLock { $0.answer = answer }
        return true
    }

    /// Appends bytes of the body.
    ///
    /// - Returns: Whether to receive more.
    func append(_ bytes: some Collection<UInt8>) -> Bool {
        let fits = state.withLock { state in
            guard state.outcome == nil, let length = state.answer?.body.count, length + bytes.count <= bodyLimit else {
                return false
            }
            state.answer?.body.append(contentsOf: bytes)
            return true
        }
        if !fits { finish(.failure(TokenProviderError.tooLarge)) }
        return fits
    }

    /// Ends the transfer with the collected response, unless there was an error or it has already ended.
    ///
    /// - Parameters:
    ///   - error: The error that ended the transfer; nil if it is complete.
    ///   - response: The session's response. FoundationNetworking doesn't report a redirection without a target to the
    ///     delegate.
    func complete(_ error: (any Error)?, response: HTTPURLResponse? = nil) {
        if let error { return finish(.failure(error)) }
        let answer = state.withLock { $0.answer } ?? response.map { TransferResponse($0) }
        finish(answer.map { .success($0) } ?? .failure(TokenProviderError.noAnswer))
    }

    /// Ends the transfer unless it has ended.
    func finish(_ outcome: Outcome) {
        let continuation = state.withLock { state -> CheckedContinuation<TransferResponse, any Error>? in
            guard state.outcome == nil else { return nil }
            state.outcome = outcome
            defer { state.continuation = nil }
            return state.continuation
        }
        // After the lock is released: resuming takes the runtime's own lock (swiftlang/swift#67110).
        continuation?.resume(with: outcome)
    }
}

extension TokenProviderError {
    static let tooLarge = Self(
        .unexpectedResponse,
        "The response is too large for a token. Check that the URL is the token server's."
    )
    static let noAnswer = Self(.unavailable, "The token server sent no HTTP response.")
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
}
