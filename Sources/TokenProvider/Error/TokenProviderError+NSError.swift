public import Foundation

extension TokenProviderError: CustomNSError {
    /// The domain of the `NSError` in Objective-C: `FleetToken.TokenProviderError`.
    public static let errorDomain = "FleetToken.TokenProviderError"

    /// The code of the `NSError`: the code's raw value.
    public var errorCode: Int { code.rawValue }

    /// The `NSError`'s user info, under the keys below.
    public var errorUserInfo: [String: Any] {
        var userInfo: [String: Any] = [
            NSLocalizedDescriptionKey: message,
            Self.codeNameKey: code.description,
            Self.needsActionKey: recovery == .needsAction,
        ]
        userInfo[Self.retryAfterKey] = retryAfter
        userInfo[Self.httpStatusKey] = httpStatus
        userInfo[Self.serverReasonKey] = serverReason
        userInfo[Self.requestIDKey] = requestID
        userInfo[NSUnderlyingErrorKey] = underlyingError.map { NSError(domain: $0.domain, code: $0.code) }
        return userInfo
    }

    /// The user-info key for the code's name, a string.
    public static let codeNameKey = "FleetTokenErrorCode"
    /// The user-info key for whether the error needs action, a Boolean.
    public static let needsActionKey = "FleetTokenNeedsAction"
    /// The user-info key for the number of seconds to wait, a number.
    public static let retryAfterKey = "FleetTokenRetryAfter"
    /// The user-info key for the HTTP status code, a number.
    public static let httpStatusKey = "FleetTokenHTTPStatus"
    /// The user-info key for the server's reason, a string.
    public static let serverReasonKey = "FleetTokenServerReason"
    /// The user-info key for the request ID in the server's log, a string.
    public static let requestIDKey = "FleetTokenRequestID"

    /// The error for Objective-C.
    var nsError: NSError { NSError(domain: Self.errorDomain, code: errorCode, userInfo: errorUserInfo) }
}

extension TokenProviderError: LocalizedError {
    /// The message.
    public var errorDescription: String? { message }
}
