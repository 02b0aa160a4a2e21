extension TokenProviderError {
    /// The kind of an error: the errors in Google's guides, and those that the client detects itself.
    ///
    /// Codes may be added.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// A stable name, for logs and metrics.
        public let description: String
        /// The code of the `NSError`: from 1001 for errors that need action, from 2001 for transient errors.
        ///
        /// No two codes share a number, and none has the number of a gRPC code, which Google's SDKs use.
        public let number: Int

        private init(_ description: String, _ number: Int) {
            self.description = description
            self.number = number
        }

        /// The recommended recovery.
        public var recovery: Recovery { number < 2000 ? .needsAction : .retry }

        // MARK: Needs action

        /// The server rejects the request as invalid (HTTP 400 and similar); the message says what it accepts.
        public static let invalidArgument = Self("invalidArgument", 1001)
        /// Authentication failed (HTTP 401), also with renewed credentials, or no user is signed in.
        public static let unauthenticated = Self("unauthenticated", 1002)
        /// The caller is not allowed to have this token (HTTP 403).
        public static let permissionDenied = Self("permissionDenied", 1003)
        /// There is no such resource or no such route (HTTP 404, 410).
        public static let notFound = Self("notFound", 1004)
        /// The SDK's call had no context, or an ID that Fleet Engine doesn't allow.
        public static let invalidContext = Self("invalidContext", 1005)
        /// The server's URL, the credentials' header fields or the response format is invalid.
        public static let invalidConfiguration = Self("invalidConfiguration", 1006)
        /// The connection is not secure: a certificate is not trusted, or App Transport Security forbids it.
        public static let insecureConnection = Self("insecureConnection", 1007)
        /// The server redirected to another server; the credentials were not sent there.
        public static let redirected = Self("redirected", 1008)
        /// The response doesn't match the response format, or is too large.
        public static let unexpectedResponse = Self("unexpectedResponse", 1009)
        /// The server issued a token for a different scope.
        public static let wrongScope = Self("wrongScope", 1010)
        /// A source requested the scope that it is fetching from its own provider.
        public static let reentrantFetch = Self("reentrantFetch", 1011)
        /// New tokens were repeatedly rejected right after they were fetched.
        public static let tokenRejected = Self("tokenRejected", 1012)
        /// The token's lifetime is less than the caller requires.
        public static let insufficientLifetime = Self("insufficientLifetime", 1013)

        // MARK: Transient

        /// The device has no network connection, or is not allowed to use the available network.
        public static let offline = Self("offline", 2001)
        /// The server or the network failed: any HTTP 5xx except 504, a connection that is refused or lost, or a
        /// response that is not HTTP.
        public static let unavailable = Self("unavailable", 2002)
        /// The server took too long, or the caller's own timeout passed.
        public static let deadlineExceeded = Self("deadlineExceeded", 2003)
        /// Too many requests (HTTP 429).
        public static let resourceExhausted = Self("resourceExhausted", 2004)
        /// The server issued a token that had already expired.
        public static let alreadyExpired = Self("alreadyExpired", 2005)
        /// The token was removed with ``CachingTokenProvider/remove(_:)`` or ``CachingTokenProvider/removeAll()``
        /// during the call.
        public static let removed = Self("removed", 2006)
        /// The call was cancelled with ``TokenCall/cancel()``.
        public static let cancelled = Self("cancelled", 2007)
    }
}
