import FleetToken

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Why there is no token, and what to do about it.
///
/// It never holds a token, a credential, an ID or anything of a response's body: it may be logged and shown as it is.
public struct TokenProviderError: Error, Hashable, Sendable {
    /// Why.
    ///
    /// Codes may be added; treat one that you don't know by its ``recovery``.
    public let code: Code
    /// What to do next, in English, for a developer.
    public let message: String
    /// How many seconds the server or the provider asks to wait before the next try, from 0 to 3,600; nil when nobody
    /// said.
    public let retryAfter: TimeInterval?
    /// The status code of the server's answer, if there was one.
    public let httpStatus: Int?

    /// An error, for a ``TokenSource`` of your own to throw.
    ///
    /// - Parameters:
    ///   - code: Why.
    ///   - message: What to do next. It reaches logs: put no secret, ID or response body into it.
    ///   - retryAfter: How many seconds to wait before the next try; less than 0 or more than 3,600 becomes that.
    ///   - httpStatus: The status code of the server's answer.
    public init(_ code: Code, _ message: String, retryAfter: TimeInterval? = nil, httpStatus: Int? = nil) {
        self.code = code
        self.message = message
        self.retryAfter = retryAfter.flatMap { $0.isNaN ? nil : min(max($0, 0), RetryAfter.maximum) }
        self.httpStatus = httpStatus
    }

    /// What makes the error go away.
    public var recovery: Recovery { code.recovery }
}

extension TokenProviderError {
    /// What makes an error go away.
    public struct Recovery: Hashable, Sendable, CustomStringConvertible {
        /// `retry` or `needsAction`.
        public let description: String

        /// Nothing needs to be done: the provider tries again by itself when it is next asked.
        public static let retry = Self(description: "retry")
        /// Trying again gives the same answer until the app, its user or the server's operator does something.
        public static let needsAction = Self(description: "needsAction")
    }

    /// Why there is no token: the status codes of Google's guides, and the faults that a client finds by itself.
    public struct Code: Hashable, Sendable {
        /// A stable name, for logs and metrics.
        public let rawValue: String
        /// The number of the gRPC status, which the SDKs' `NSError`s of domain `io.grpc` carry too.
        public let grpcCode: Int
        /// What makes it go away.
        public let recovery: Recovery

        private init(_ rawValue: String, _ grpcCode: Int, _ recovery: Recovery) {
            self.rawValue = rawValue
            self.grpcCode = grpcCode
            self.recovery = recovery
        }

        // MARK: Needs action

        /// The server finds the request faulty (HTTP 400 and its like).
        public static let invalidArgument = Self("invalidArgument", 3, .needsAction)
        /// The server doesn't know who asks (HTTP 401), or the credentials could not be had.
        public static let unauthenticated = Self("unauthenticated", 16, .needsAction)
        /// Who asks may not have this token (HTTP 403).
        public static let permissionDenied = Self("permissionDenied", 7, .needsAction)
        /// There is no such resource or no such route (HTTP 404, 410).
        public static let notFound = Self("notFound", 5, .needsAction)
        /// The SDK asked without a context, or with an ID that Fleet Engine doesn't allow.
        public static let invalidContext = Self("invalidContext", 3, .needsAction)
        /// The server's URL, the credentials' header fields or the response format is not usable.
        public static let invalidConfiguration = Self("invalidConfiguration", 9, .needsAction)
        /// The connection is not secure: a certificate is not trusted, or App Transport Security forbids it.
        public static let insecureConnection = Self("insecureConnection", 9, .needsAction)
        /// The server redirected elsewhere; the credentials stayed here.
        public static let redirected = Self("redirected", 9, .needsAction)
        /// The answer is not what the response format says, or too large.
        public static let unexpectedResponse = Self("unexpectedResponse", 13, .needsAction)
        /// The server issued a token for something else than was asked for.
        public static let wrongScope = Self("wrongScope", 13, .needsAction)
        /// A source asked its own provider for the scope that it is fetching.
        public static let reentrantFetch = Self("reentrantFetch", 13, .needsAction)
        /// New tokens were rejected again and again right after they had been fetched.
        public static let rejected = Self("rejected", 16, .needsAction)
        /// The token cannot live as long as the caller wants.
        public static let insufficientLifetime = Self("insufficientLifetime", 9, .needsAction)

        // MARK: Passes by itself

        /// Too many requests (HTTP 429).
        public static let resourceExhausted = Self("resourceExhausted", 8, .retry)
        /// The server or the network is not available: any HTTP 5xx but 504, a connection that is refused or breaks, or
        /// an answer that is not HTTP.
        public static let unavailable = Self("unavailable", 14, .retry)
        /// The server took too long, or the caller's own limit passed.
        public static let deadlineExceeded = Self("deadlineExceeded", 4, .retry)
        /// The server issued a token that had expired already.
        public static let alreadyExpired = Self("alreadyExpired", 14, .retry)
        /// ``CachingTokenProvider/removeAll()`` came in between.
        public static let invalidated = Self("invalidated", 1, .retry)
    }
}

extension TokenProviderError: CustomStringConvertible {
    /// The code's name and the message.
    public var description: String { "\(code.rawValue): \(message)" }
}

extension TokenProviderError.Code: CustomStringConvertible {
    /// The code's name.
    public var description: String { rawValue }
}
