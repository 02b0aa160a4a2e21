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
    /// Codes may be added; handle an unknown code by ``needsAction``.
    public let code: TokenErrorCode
    /// The recommended action, in English, for a developer; `tokend`'s message, if the error comes from it.
    public let message: String
    /// The number of seconds that the server or the provider asks to wait before a retry, from 0 to 3,600; nil if
    /// neither does.
    public internal(set) var retryAfter: TimeInterval?
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
    /// The domain and the code of the underlying error of the system or of a custom source; nothing else, which could contain
    /// a secret.
    public var underlyingError: NSError? { cause.map { NSError(domain: $0.domain, code: $0.code) } }
    private let cause: Cause?

    /// On Linux, the hash of an `NSError` never ends.
    private struct Cause: Hashable {
        let domain: String
        let code: Int
    }

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
    ///   - underlyingError: The underlying error, of which the domain and the code are kept.
    public init(
        _ code: TokenErrorCode,
        _ message: String,
        retryAfter: TimeInterval? = nil,
        httpStatus: Int? = nil,
        serverReason: String? = nil,
        requestID: String? = nil,
        underlyingError: (any Error)? = nil
    ) {
        self.code = code
        self.message = message
        self.retryAfter = retryAfter.flatMap { $0.isNaN ? nil : min(max($0, 0), RetryAfter.maximum) }
        self.httpStatus = httpStatus
        self.serverReason = serverReason.flatMap { $0.isReason ? $0 : nil }
        self.requestID = requestID.flatMap { $0.isRequestID ? $0 : nil }
        cause = underlyingError.map { Cause(domain: $0._domain, code: $0._code) }
    }

    /// Whether a retry fails the same way until the app, its user or the server's operator acts.
    ///
    /// Otherwise there is nothing to do: the provider retries when a token is next requested.
    public var needsAction: Bool { code.needsAction }
}

extension TokenProviderError: CustomStringConvertible {
    /// The code's name, the message, and the request ID in the server's log.
    public var description: String {
        "\(code): \(message)" + (requestID.map { " (request \($0))" } ?? "")
    }
}

extension TokenProviderError: CustomNSError, LocalizedError {
    /// The domain of the `NSError` in Objective-C: `FleetToken.TokenProviderError`.
    public static let errorDomain = "FleetToken.TokenProviderError"

    /// The code of the `NSError`: the code's raw value.
    public var errorCode: Int { code.rawValue }

    /// The `NSError`'s user info: the properties, under names that begin with `FleetToken`.
    public var errorUserInfo: [String: Any] {
        var userInfo: [String: Any] = [
            NSLocalizedDescriptionKey: message,
            "FleetTokenErrorCode": code.description,
            "FleetTokenNeedsAction": needsAction,
        ]
        userInfo["FleetTokenRetryAfter"] = retryAfter
        userInfo["FleetTokenHTTPStatus"] = httpStatus
        userInfo["FleetTokenServerReason"] = serverReason
        userInfo["FleetTokenRequestID"] = requestID
        userInfo[NSUnderlyingErrorKey] = underlyingError
        return userInfo
    }

    /// The message.
    public var errorDescription: String? { message }

    /// The error for Objective-C.
    var nsError: NSError { NSError(domain: Self.errorDomain, code: errorCode, userInfo: errorUserInfo) }
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
