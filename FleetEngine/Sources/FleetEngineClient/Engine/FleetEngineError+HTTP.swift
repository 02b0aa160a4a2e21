import EngineCoding
import FleetToken
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension FleetEngineError {
    /// The maximum length of a server's message, in bytes.
    private static let maximumMessage = 500
    /// The longest pause that a server may request, in seconds.
    private static let maximumPause: TimeInterval = 3600

    /// Creates the error of a response; nil for success.
    ///
    /// - Parameters:
    ///   - response: The response: Google's error model (AIP-193), or what a proxy sends.
    ///   - token: The token of the request, which must not become part of the error.
    init?(_ response: EngineResponse, token: String) {
        guard !(200...299).contains(response.status) else { return nil }
        let error = (try? JSONParser.parse(response.body, maximumValues: 1_000))?.objectValue?["error"]?.objectValue
        self.init(
            error?["status"]?.stringValue.flatMap { Code(rawValue: $0) } ?? Code(httpStatus: response.status),
            error?["message"]?.stringValue.flatMap { Self.message($0, token: token) }
                ?? "HTTP status \(response.status).",
            reason: error.flatMap { Self.detail("reason", of: $0) }.flatMap { Self.message($0, token: token) },
            httpStatus: response.status,
            retryAfter: (response.retryAfter.flatMap(Self.seconds)
                ?? error.flatMap { Self.detail("retryDelay", of: $0) }.flatMap(ProtoDuration.parse))
                .map { min(max($0, 0), Self.maximumPause) }
        )
    }

    private static func message(_ text: String, token: String) -> String? {
        guard (1...maximumMessage).contains(text.utf8.count), text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }),
            !text.contains(token)
        else { return nil }
        return text
    }

    /// Returns the seconds in a field `Retry-After`; Google's servers send no date.
    private static func seconds(_ field: String) -> TimeInterval? {
        field.utf8.allSatisfy { (0x30...0x39).contains($0) } ? TimeInterval(field) : nil
    }

    /// Returns a field of the first detail that has it: of `google.rpc.ErrorInfo` or `google.rpc.RetryInfo`.
    private static func detail(_ name: String, of error: JSONObject) -> String? {
        let details = error["details"]?.arrayValue?.compactMap(\.objectValue) ?? []
        return details.lazy.compactMap { $0[name]?.stringValue }.first
    }

    /// Creates the error of a request that got no response.
    ///
    /// The text of the original error is dropped: it may contain a URL.
    init(transport error: any Error) {
        switch error {
        case let error as FleetEngineError: self = error
        case let error as URLError where error.code == .timedOut:
            self.init(.deadlineExceeded, "The response did not arrive in time.")
        case is CancellationError: self.init(.cancelled, "The request was cancelled.")
        default:
            let cause = error as NSError
            self.init(.unavailable, "Fleet Engine cannot be reached: \(cause.domain) \(cause.code).")
        }
    }

    /// Creates the error of a response that doesn't have the documented format.
    static func unexpectedResponse(_ problem: String) -> Self {
        Self(.internal, "The response doesn't have the documented format: \(problem)")
    }
}
