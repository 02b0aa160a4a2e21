import FleetToken

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Why there is no token, and what to do about it.
///
/// It never holds a token, a credential or an ID, and of a response's body only what `tokend` says for a developer: it may be
/// logged and shown as it is.
public struct TokenProviderError: Error, Hashable, Sendable {
    /// Why.
    ///
    /// Codes may be added; treat one that you don't know by its ``recovery-swift.property``.
    public let code: Code
    /// What to do next, in English, for a developer; what `tokend` said, if that is why.
    public let message: String
    /// How many seconds the server or the provider asks to wait before the next try, from 0 to 3,600; nil when neither
    /// said.
    public let retryAfter: TimeInterval?
    /// The status code of the server's answer, if there was one.
    public let httpStatus: Int?
    /// The reason that the server's answer names, such as `INVALID_ID` or `ID_NOT_GRANTED`.
    ///
    /// It has capital letters, digits and underscores only.
    public let serverReason: String?
    /// The ID by which the server's log and audit trail know the request.
    ///
    /// It has at most 128 visible ASCII characters.
    public let requestID: String?
    /// Which error of the system or of a source of your own it stands for, without that error's text.
    public let underlyingError: UnderlyingError?

    /// Creates an error, for a ``TokenSource`` or credentials of your own to throw.
    ///
    /// - Parameters:
    ///   - code: Why.
    ///   - message: What to do next. It reaches logs: put no secret, ID or response body into it.
    ///   - retryAfter: How many seconds to wait before the next try; less than 0 or more than 3,600 becomes that.
    ///   - httpStatus: The status code of the server's answer.
    ///   - serverReason: The reason that the server's answer names; dropped unless it is made of capital letters, digits
    ///     and underscores, at most 64.
    ///   - requestID: The ID by which the server's log knows the request; dropped unless it has at most 128 visible ASCII
    ///     characters.
    ///   - underlyingError: What it stands for.
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

    /// What makes the error go away.
    public var recovery: Recovery { code.recovery }
}

extension TokenProviderError {
    /// An error of the system's or of a source's: its domain and code, and nothing that could hold a secret.
    public struct UnderlyingError: Error, Hashable, Sendable, CustomStringConvertible {
        /// The domain, such as `NSURLErrorDomain`, or the type's name.
        public let domain: String
        /// The number within the domain.
        public let code: Int

        /// Creates an error.
        public init(domain: String, code: Int) {
            self.domain = domain
            self.code = code
        }

        /// The domain and the code.
        public var description: String { "\(domain) \(code)" }
    }

    /// What makes an error go away.
    public struct Recovery: Hashable, Sendable, CustomStringConvertible {
        /// `retry` or `needsAction`.
        public let description: String

        /// Nothing needs to be done: the provider tries again by itself when it is next asked.
        public static let retry = Self(description: "retry")
        /// Trying again gives the same answer until the app, its user or the server's operator does something.
        public static let needsAction = Self(description: "needsAction")
    }
}

extension TokenProviderError: CustomStringConvertible {
    /// The code's name and the message, and by which ID the server's log knows the request.
    public var description: String {
        "\(code): \(message)" + (requestID.map { " (request \($0))" } ?? "")
    }
}

extension String {
    fileprivate var isReason: Bool {
        (1...64).contains(utf8.count)
            && utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }

    fileprivate var isRequestID: Bool {
        (1...128).contains(utf8.count) && utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
}
