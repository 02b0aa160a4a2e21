public import Foundation

extension TokenProviderError: CustomNSError {
    /// The domain of the `NSError` that Objective-C sees: `FleetToken.TokenProviderError`.
    public static let errorDomain = "FleetToken.TokenProviderError"

    /// The code of the `NSError`: the number of the gRPC status, as the SDKs' own errors have it.
    public var errorCode: Int { code.grpcCode }

    /// The `NSError`'s details: the code's name, and how many seconds to wait if somebody said.
    public var errorUserInfo: [String: Any] {
        var userInfo: [String: Any] = [
            NSLocalizedDescriptionKey: message,
            Self.codeKey: code.rawValue,
            Self.needsActionKey: recovery == .needsAction,
        ]
        userInfo[Self.retryAfterKey] = retryAfter
        return userInfo
    }

    /// The user-info key of the code's name, a string.
    public static let codeKey = "FleetTokenErrorCode"
    /// The user-info key of whether something must be done, a Boolean.
    public static let needsActionKey = "FleetTokenNeedsAction"
    /// The user-info key of the seconds to wait, a number.
    public static let retryAfterKey = "FleetTokenRetryAfter"
}

extension TokenProviderError: LocalizedError {
    /// The message.
    public var errorDescription: String? { message }
}
