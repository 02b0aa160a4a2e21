import Foundation

/// The kind of an error: the errors in Google's guides, and those that the client detects itself.
///
/// The raw value is the code of the `NSError`: from 1001 for errors that need action, from 2001 for transient errors. None
/// is the number of a gRPC code, which Google's SDKs use. In Objective-C the type's name is `FTTokenErrorCode`. Codes may
/// be added.
#if canImport(ObjectiveC)
@objc(FTTokenErrorCode)
#endif
#if hasAttribute(nonexhaustive)
@nonexhaustive
#endif
public enum TokenErrorCode: Int, CaseIterable, Sendable, CustomStringConvertible {
    // MARK: Needs action

    /// The server rejects the request as invalid (HTTP 400 and similar); the message says what it accepts.
    case invalidArgument = 1001
    /// Authentication failed (HTTP 401), also with renewed credentials, or no user is signed in.
    case unauthenticated = 1002
    /// The caller is not allowed to have this token (HTTP 403).
    case permissionDenied = 1003
    /// There is no such resource or no such route (HTTP 404, 410).
    case notFound = 1004
    /// The SDK's call had no context, or an ID that Fleet Engine doesn't allow.
    case invalidContext = 1005
    /// The server's URL, the credentials' header fields or the response format is invalid, or a source requests a token from
    /// its own provider.
    case invalidConfiguration = 1006
    /// The connection is not secure: a certificate is not trusted, or App Transport Security forbids it.
    case insecureConnection = 1007
    /// The server redirected to another server; the credentials were not sent there.
    case redirected = 1008
    /// The response doesn't match the response format, or is too large.
    case unexpectedResponse = 1009
    /// The server issued a token for a different scope.
    case wrongScope = 1010
    /// New tokens were repeatedly rejected right after they were fetched.
    case tokenRejected = 1011
    /// The token's lifetime is less than the caller requires.
    case insufficientLifetime = 1012

    // MARK: Transient

    /// The device has no network connection, or is not allowed to use the available network.
    case offline = 2001
    /// The server or the network failed: any HTTP 5xx except 504, a connection that is refused or lost, or a
    /// response that is not HTTP.
    case unavailable = 2002
    /// The server took too long, or `callTimeout` passed.
    case deadlineExceeded = 2003
    /// Too many requests (HTTP 429).
    case resourceExhausted = 2004
    /// The server issued a token that had already expired.
    case alreadyExpired = 2005
    /// The token was removed with ``CachingTokenProvider/remove(_:)`` or ``CachingTokenProvider/removeAll()``
    /// during the call.
    case removed = 2006

    var needsAction: Bool { rawValue < 2000 }

    /// A stable name, for logs and metrics.
    public var description: String {
        switch self {
        case .invalidArgument: "invalidArgument"
        case .unauthenticated: "unauthenticated"
        case .permissionDenied: "permissionDenied"
        case .notFound: "notFound"
        case .invalidContext: "invalidContext"
        case .invalidConfiguration: "invalidConfiguration"
        case .insecureConnection: "insecureConnection"
        case .redirected: "redirected"
        case .unexpectedResponse: "unexpectedResponse"
        case .wrongScope: "wrongScope"
        case .tokenRejected: "tokenRejected"
        case .insufficientLifetime: "insufficientLifetime"
        case .offline: "offline"
        case .unavailable: "unavailable"
        case .deadlineExceeded: "deadlineExceeded"
        case .resourceExhausted: "resourceExhausted"
        case .alreadyExpired: "alreadyExpired"
        case .removed: "removed"
        }
    }
}
