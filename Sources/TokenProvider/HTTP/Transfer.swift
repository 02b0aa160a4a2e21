import ExpiringCache
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// One request on its way: collects a bounded answer and hands it over exactly once.
///
/// The waiting caller and the session's delegate meet here in either order: a task may be cancelled before its
/// continuation exists.
final class Transfer: Sendable {
    typealias Outcome = Result<HTTPAnswer, any Error>

    private struct State {
        var answer: HTTPAnswer?
        var continuation: CheckedContinuation<HTTPAnswer, any Error>?
        var outcome: Outcome?
    }

    private let state = Lock(State())
    private let bodyLimit: Int

    init(bodyLimit: Int) {
        self.bodyLimit = bodyLimit
    }

    /// Waits for the outcome; one that came earlier is handed over at once.
    func deliver(to continuation: CheckedContinuation<HTTPAnswer, any Error>) {
        let outcome = state.withLock { state in
            if state.outcome == nil { state.continuation = continuation }
            return state.outcome
        }
        if let outcome { continuation.resume(with: outcome) }
    }

    /// Begins an answer.
    ///
    /// - Returns: Whether its body is welcome.
    func begin(_ answer: HTTPAnswer, expectedLength: Int64) -> Bool {
        guard expectedLength <= Int64(bodyLimit) else {
            finish(.failure(TokenProviderError.tooLarge))
            return false
        }
        state.withLock { $0.answer = answer }
        return true
    }

    /// Takes more of the body.
    ///
    /// - Returns: Whether more is welcome.
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

    /// Ends the transfer; the answer stands unless there was an error or an earlier end.
    ///
    /// - Parameters:
    ///   - error: Why the transfer ended too early; nil when it didn't.
    ///   - response: What the session holds of the answer. FoundationNetworking doesn't announce a redirection that
    ///     names no target.
    func complete(_ error: (any Error)?, response: HTTPURLResponse? = nil) {
        if let error { return finish(.failure(error)) }
        let answer = state.withLock { $0.answer } ?? response.map { HTTPAnswer($0) }
        finish(answer.map { .success($0) } ?? .failure(TokenProviderError.noAnswer))
    }

    /// Ends the transfer unless it has ended.
    func finish(_ outcome: Outcome) {
        let continuation = state.withLock { state -> CheckedContinuation<HTTPAnswer, any Error>? in
            guard state.outcome == nil else { return nil }
            state.outcome = outcome
            defer { state.continuation = nil }
            return state.continuation
        }
        // After the lock is free: resuming takes the runtime's own lock (swiftlang/swift#67110).
        continuation?.resume(with: outcome)
    }
}

extension TokenProviderError {
    static let tooLarge = Self(
        .unexpectedResponse,
        "The token server's answer is too large for a token: check that the URL is the token server's."
    )
    static let noAnswer = Self(.unavailable, "The token server sent no HTTP answer.")
}
