import FleetToken
import Foundation
import StrictCoding
import TokenProvider

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension FleetEngineError {
    /// The maximum length of a server's message, in bytes.
    private static let maximumMessage = 500

    /// Creates the error of a response; nil for success.
    ///
    /// - Parameters:
    ///   - answer: The response: Google's error model (AIP-193), or what a proxy sends.
    ///   - token: The token of the request, which must not become part of the error.
    init?(_ answer: TransferResponse, token: Token) {
        guard !(200...299).contains(answer.status) else { return nil }
        let error = (try? JSONParser.parse(answer.body, maximumValues: 1_000))?.objectValue?["error"]?.objectValue
        let code = Code(httpStatus: answer.status)
        let date = answer.date.flatMap { HTTPDate.parse($0) }
        self.init(
            error?["status"]?.stringValue.flatMap { Code(rawValue: $0) } ?? code,
            error?["message"]?.stringValue.flatMap { Self.message($0, token: token) }
                ?? "HTTP status \(answer.status).",
            httpStatus: answer.status,
            retryAfter: RetryAfter.seconds(answer.retryAfter, date: date) ?? error.flatMap(Self.retryDelay)
        )
    }

    private static func message(_ text: String, token: Token) -> String? {
        guard (1...maximumMessage).contains(text.utf8.count), text.utf8.allSatisfy(\.isASCIIPrintable),
            !text.contains(token.revealText())
        else { return nil }
        return text
    }

    /// Returns the delay in `google.rpc.RetryInfo`.
    private static func retryDelay(_ error: JSONObject) -> TimeInterval? {
        let details = error["details"]?.arrayValue?.compactMap(\.objectValue) ?? []
        let delay = details.lazy.compactMap { $0["retryDelay"]?.stringValue }.first
        return delay.flatMap { ProtoDuration.parse($0) }.map { min(max($0, 0), RetryAfter.maximum) }
    }
}

extension FleetEngineError {
    /// Creates the error of a request that got no response.
    ///
    /// The text of the original error is dropped: it may contain a URL.
    init(transport error: any Error) {
        switch error {
        case let error as FleetEngineError: self = error
        case let error as TokenProviderError where error.code == .unexpectedResponse:
            self.init(.internal, "The response is too large.")
        case let error as TokenProviderError where error.needsAction:
            self.init(.failedPrecondition, error.message)
        case let error as URLError where error.code == .timedOut:
            self.init(.deadlineExceeded, "The response did not arrive in time.")
        case is CancellationError: self.init(.cancelled, "The request was cancelled.")
        default: self.init(.unavailable, "Fleet Engine cannot be reached: \(error._domain) \(error._code).")
        }
    }

    /// Creates the error of a request for which no token was available.
    init(token error: TokenProviderError) {
        let code: Code =
            switch error.code {
            case .permissionDenied, .wrongScope: .permissionDenied
            case .notFound: .notFound
            case .invalidArgument, .invalidContext, .invalidConfiguration: .invalidArgument
            case .resourceExhausted: .resourceExhausted
            case .deadlineExceeded: .deadlineExceeded
            default: error.needsAction ? .unauthenticated : .unavailable
            }
        self.init(code, "No token: \(error.message)", retryAfter: error.retryAfter, tokenError: error)
    }

    /// Creates the error of a response that doesn't have the documented format.
    static func unexpectedResponse(_ problem: String) -> Self {
        Self(.internal, "The response doesn't have the documented format: \(problem)")
    }
}
