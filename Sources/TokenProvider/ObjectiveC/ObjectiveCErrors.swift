public import Foundation

/// The domain and user-info keys of errors, for Objective-C; in Objective-C its name is `FTTokenError`.
#if canImport(ObjectiveC)
@objc(FTTokenError) @objcMembers
#endif
public final class ObjectiveCErrors: NSObject {
    /// The domain of each error that has an `FTTokenErrorCode`.
    public static let domain = TokenProviderError.errorDomain
    /// The key for the code's name, a string.
    public static let codeNameKey = TokenProviderError.codeNameKey
    /// The key for whether the error needs action, a Boolean.
    public static let needsActionKey = TokenProviderError.needsActionKey
    /// The key for the number of seconds to wait, a number.
    public static let retryAfterKey = TokenProviderError.retryAfterKey
    /// The key for the HTTP status code, a number.
    public static let httpStatusKey = TokenProviderError.httpStatusKey
    /// The key for the server's reason, a string such as `INVALID_ID`.
    public static let serverReasonKey = TokenProviderError.serverReasonKey
    /// The key for the request ID in the server's log, a string.
    public static let requestIDKey = TokenProviderError.requestIDKey

    private override init() {}
}
