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

/// The error codes for Objective-C, where its name is `FTTokenErrorCode`; the numbers of
/// ``TokenProviderError/Code-swift.struct``.
///
/// Codes from 1001 need action, codes from 2001 are transient. Codes may be added.
#if canImport(ObjectiveC)
@objc(FTTokenErrorCode)
#endif
@nonexhaustive
public enum ObjectiveCErrorCode: Int, CaseIterable, Sendable {
    /// ``TokenProviderError/Code-swift.struct/invalidArgument``
    case invalidArgument = 1001
    /// ``TokenProviderError/Code-swift.struct/unauthenticated``
    case unauthenticated = 1002
    /// ``TokenProviderError/Code-swift.struct/permissionDenied``
    case permissionDenied = 1003
    /// ``TokenProviderError/Code-swift.struct/notFound``
    case notFound = 1004
    /// ``TokenProviderError/Code-swift.struct/invalidContext``
    case invalidContext = 1005
    /// ``TokenProviderError/Code-swift.struct/invalidConfiguration``
    case invalidConfiguration = 1006
    /// ``TokenProviderError/Code-swift.struct/insecureConnection``
    case insecureConnection = 1007
    /// ``TokenProviderError/Code-swift.struct/redirected``
    case redirected = 1008
    /// ``TokenProviderError/Code-swift.struct/unexpectedResponse``
    case unexpectedResponse = 1009
    /// ``TokenProviderError/Code-swift.struct/wrongScope``
    case wrongScope = 1010
    /// ``TokenProviderError/Code-swift.struct/reentrantFetch``
    case reentrantFetch = 1011
    /// ``TokenProviderError/Code-swift.struct/tokenRejected``
    case tokenRejected = 1012
    /// ``TokenProviderError/Code-swift.struct/insufficientLifetime``
    case insufficientLifetime = 1013
    /// ``TokenProviderError/Code-swift.struct/offline``
    case offline = 2001
    /// ``TokenProviderError/Code-swift.struct/unavailable``
    case unavailable = 2002
    /// ``TokenProviderError/Code-swift.struct/deadlineExceeded``
    case deadlineExceeded = 2003
    /// ``TokenProviderError/Code-swift.struct/resourceExhausted``
    case resourceExhausted = 2004
    /// ``TokenProviderError/Code-swift.struct/alreadyExpired``
    case alreadyExpired = 2005
    /// ``TokenProviderError/Code-swift.struct/removed``
    case removed = 2006
    /// ``TokenProviderError/Code-swift.struct/cancelled``
    case cancelled = 2007
}
