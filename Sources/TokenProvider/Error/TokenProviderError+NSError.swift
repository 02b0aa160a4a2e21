public import Foundation

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
            "FleetTokenNeedsAction": recovery == .needsAction,
        ]
        userInfo["FleetTokenRetryAfter"] = retryAfter
        userInfo["FleetTokenHTTPStatus"] = httpStatus
        userInfo["FleetTokenServerReason"] = serverReason
        userInfo["FleetTokenRequestID"] = requestID
        userInfo[NSUnderlyingErrorKey] = underlyingError.map { NSError(domain: $0.domain, code: $0.code) }
        return userInfo
    }

    /// The message.
    public var errorDescription: String? { message }

    /// The error for Objective-C.
    var nsError: NSError { NSError(domain: Self.errorDomain, code: errorCode, userInfo: errorUserInfo) }
}
