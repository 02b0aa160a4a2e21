import FleetToken
public import Foundation
import StrictCoding

/// An error that says why a token is not available, and what to do.
///
/// It never contains a token, a credential or an ID, and of a response body only the message that `tokend` writes for
/// developers: it may be logged and displayed unchanged.
public struct TokenProviderError: Error, Hashable, Sendable {
    /// The code of the error.
    ///
    /// Codes may be added; handle an unknown code by its ``recovery-swift.property``.
    public let code: Code
    /// The recommended action, in English, for a developer; `tokend`'s message, if the error comes from it.
    public let message: String
    /// The number of seconds that the server or the provider asks to wait before a retry, from 0 to 3,600; nil if
    /// neither does.
    public let retryAfter: TimeInterval?
    /// The status code of the server's response, if there was one.
    public let httpStatus: Int?
    /// The reason in the server's response, such as `INVALID_ID` or `ID_NOT_GRANTED`.
    ///
    /// It contains only capital letters, digits and underscores.
    public let serverReason: String?
    /// The request ID in the server's log and audit trail.
    ///
    /// It has at most 128 visible ASCII characters.
    public let requestID: String?
    /// The underlying error of the system or of a custom source, without its text.
    public let underlyingError: UnderlyingError?

    /// Creates an error, for a custom ``TokenSource`` or credentials closure to throw.
    ///
    /// - Parameters:
    ///   - code: The code of the error.
    ///   - message: The recommended action. It is logged: don't include a secret, an ID or a response body.
    ///   - retryAfter: The number of seconds to wait before a retry, limited to the range 0 to 3,600.
    ///   - httpStatus: The status code of the server's response.
    ///   - serverReason: The reason in the server's response; dropped unless it consists of at most 64 capital letters,
    ///     digits and underscores.
    ///   - requestID: The request ID in the server's log; dropped unless it has at most 128 visible ASCII characters.
    ///   - underlyingError: The underlying error.
    public init(
        _ code: Code,
        _ message: String,
        retryAfter: TimeInterval? = nil,
        httpStatus: Int? = nil,
        serverReason: String? = nil,
        requestID: String? = nil,
        underlyingError: UnderlyingError? = nil
    ) {
        self.code = code
        self.message = message
        self.retryAfter = retryAfter.flatMap { $0.isNaN ? nil : min(max($0, 0), RetryAfter.maximum) }
        self.httpStatus = httpStatus
        self.serverReason = serverReason.flatMap { $0.isReason ? $0 : nil }
        self.requestID = requestID.flatMap { $0.isRequestID ? $0 : nil }
        self.underlyingError = underlyingError
    }

    /// The recommended recovery.
    public var recovery: Recovery { code.recovery }
}

extension TokenProviderError {
    /// The domain and code of a system or source error, without anything that could contain a secret.
    public struct UnderlyingError: Error, Hashable, Sendable, CustomStringConvertible {
        /// The domain, such as `NSURLErrorDomain`, or the type's name.
        public let domain: String
        /// The number within the domain.
        public let code: Int

        /// Creates an underlying error.
        public init(domain: String, code: Int) {
            self.domain = domain
            self.code = code
        }

        /// The domain and the code.
        public var description: String { "\(domain) \(code)" }
    }

    /// The action that resolves an error.
    public struct Recovery: Hashable, Sendable, CustomStringConvertible {
        /// `retry` or `needsAction`.
        public let description: String

        /// No action is needed: the provider retries when a token is next requested.
        public static let retry = Self(description: "retry")
        /// A retry fails the same way until the app, its user or the server's operator acts.
        public static let needsAction = Self(description: "needsAction")
    }
}

extension TokenProviderError: CustomStringConvertible {
    /// The code's name, the message, and the request ID in the server's log.
    public var description: String {
        "\(code): \(message)" + (requestID.map { " (request \($0))" } ?? "")
    }
}

extension String {
    fileprivate var isReason: Bool {
        (1...64).contains(utf8.count)
            && utf8.allSatisfy { $0.isASCIICapital || $0.isASCIIDigit || $0 == UInt8(ascii: "_") }
    }

    fileprivate var isRequestID: Bool {
        (1...128).contains(utf8.count) && utf8.allSatisfy(\.isASCIIVisible)
    }
}
