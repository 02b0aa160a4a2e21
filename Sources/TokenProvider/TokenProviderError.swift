public import Foundation

/// An error that says why a token is not available, and who must act.
///
/// It never contains a token, a credential or an ID. Of a response it contains the status, a reason, a request ID, and a
/// message only if `tokend` wrote it. So it may be logged and displayed unchanged.
public struct TokenProviderError: Error, Hashable, Sendable {
    /// The kind of an error.
    ///
    /// The raw value is the code of the `NSError`: from 1001 for errors that need action, from 2001 for transient ones. None is
    /// the number of a gRPC code, which Google's SDKs use.
    public enum Code: Int, Sendable {
        /// An ID or the request is invalid, or there is no such route (any HTTP 4xx that no other code names).
        case invalidArgument = 1001
        /// Authentication failed (HTTP 401), also with renewed credentials, or no user is signed in.
        case unauthenticated = 1002
        /// The caller is not allowed to have this token (HTTP 403).
        case permissionDenied = 1003
        /// The server's URL or the credentials' header fields are invalid, or the server redirects.
        case invalidConfiguration = 1005
        /// The response is not what ``TokenServer/decode`` reads, or is too large.
        case unexpectedResponse = 1006
        /// New tokens were repeatedly rejected right after they were fetched.
        case tokenRejected = 1007

        /// The device has no network connection, or is not allowed to use the available network.
        case offline = 2001
        /// The server's certificate is not trusted: a network that requires a sign-in, or the wrong certificate.
        case insecureConnection = 2002
        /// The server or the network failed or took too long: any HTTP 5xx, 408 or 425, or a connection that is
        /// refused or lost.
        case unavailable = 2003
        /// Too many requests (HTTP 429).
        case resourceExhausted = 2005
        /// ``FleetTokenProvider/removeAll()`` was called during the call.
        case signedOut = 2006
    }

    /// Who must act.
    public enum Remedy: Sendable {
        /// Nobody: the provider retries when a token is next requested.
        case wait
        /// The user must sign in again.
        case signIn
        /// The app's developer or the server's operator must correct something.
        case developer
    }

    /// The kind of the error.
    public let code: Code
    /// The recommended action, in English, for a developer; `tokend`'s message, if the error comes from it.
    public let message: String
    /// The number of seconds until the next fetch; nil if there is no pause.
    public internal(set) var retryAfter: TimeInterval?
    /// The status code of the server's response, if there was one.
    public internal(set) var httpStatus: Int?
    /// The reason in the server's response, such as `INVALID_ID`: at most 64 capital letters, digits and underscores.
    public internal(set) var serverReason: String?
    /// The request ID in the server's log and audit trail: at most 128 visible ASCII characters.
    public internal(set) var requestID: String?
    /// What pauses after it.
    var cooldown: Cooldown

    /// Creates an error, for a fetch or credentials closure to throw.
    ///
    /// - Parameters:
    ///   - code: The kind of the error.
    ///   - message: The recommended action. It is logged: don't include a secret, an ID or a response body.
    ///   - retryAfter: The number of seconds to wait before a retry, limited to the range 0 to 3,600.
    ///   - httpStatus: The status code of the server's response.
    public init(_ code: Code, _ message: String, retryAfter: TimeInterval? = nil, httpStatus: Int? = nil) {
        self.code = code
        self.message = message
        self.retryAfter = retryAfter.flatMap { $0.isNaN ? nil : min(max($0, 0), RetryAfter.maximum) }
        self.httpStatus = httpStatus
        cooldown = Cooldown(code, retryAfter: self.retryAfter, httpStatus: httpStatus)
    }

    /// Who must act.
    public var remedy: Remedy { code.remedy }

    static let signedOut = Self(.signedOut, "The user signed out during the call.")

    static let credentialsChangedAgain = Self(
        .unavailable,
        "The credentials kept changing during the call. Call credentialsDidChange() only after a user has signed in or changed."
    )

    static let timedOut = {
        var error = Self(.unavailable, "The token was not fetched in time.")
        error.cooldown = .connection
        return error
    }()
}

extension TokenProviderError.Code {
    var remedy: TokenProviderError.Remedy {
        switch self {
        case .unauthenticated: .signIn
        case .invalidArgument, .permissionDenied, .invalidConfiguration, .unexpectedResponse, .tokenRejected: .developer
        case .offline, .insecureConnection, .unavailable, .resourceExhausted, .signedOut: .wait
        }
    }
}

extension TokenProviderError: CustomStringConvertible {
    /// The code's number, the message, and the request ID in the server's log.
    public var description: String {
        // Not the code's name, which a build without reflection metadata does not have at run time.
        "\(errorCode): \(message)" + (requestID.map { " (request \($0))" } ?? "")
    }
}

extension TokenProviderError.Remedy {
    /// The case's name, also in a build without reflection metadata.
    fileprivate var name: String {
        switch self {
        case .wait: "wait"
        case .signIn: "signIn"
        case .developer: "developer"
        }
    }
}

extension TokenProviderError: CustomNSError {
    /// The domain of the `NSError` in Objective-C: `FleetToken.TokenProviderError`.
    public static let errorDomain = "FleetToken.TokenProviderError"

    /// The code of the `NSError`: the code's raw value.
    public var errorCode: Int { code.rawValue }

    /// The `NSError`'s user info: the properties, under names that begin with `FleetToken`.
    public var errorUserInfo: [String: Any] {
        var userInfo: [String: Any] = [NSLocalizedDescriptionKey: message, "FleetTokenRemedy": remedy.name]
        userInfo["FleetTokenRetryAfter"] = retryAfter
        userInfo["FleetTokenHTTPStatus"] = httpStatus
        userInfo["FleetTokenServerReason"] = serverReason
        userInfo["FleetTokenRequestID"] = requestID
        return userInfo
    }
}
