extension TokenProviderError {
    /// Why there is no token: what Google's guides list, and the faults that a client finds by itself.
    ///
    /// Codes may be added.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// A stable name, for logs and metrics.
        public let description: String
        /// The code of the `NSError`: from 1001 for what needs action, from 2001 for what passes by itself.
        ///
        /// No two codes share a number, and none has one of gRPC's, which Google's SDKs use.
        public let number: Int

        private init(_ description: String, _ number: Int) {
            self.description = description
            self.number = number
        }

        /// What makes it go away.
        public var recovery: Recovery { number < 2000 ? .needsAction : .retry }

        // MARK: Needs action

        /// The server finds the request faulty (HTTP 400 and its like); its message says what it allows.
        public static let invalidArgument = Self("invalidArgument", 1001)
        /// The server doesn't know who asks (HTTP 401), also with renewed credentials, or no user is signed in.
        public static let unauthenticated = Self("unauthenticated", 1002)
        /// The caller may not have this token (HTTP 403).
        public static let permissionDenied = Self("permissionDenied", 1003)
        /// There is no such resource or no such route (HTTP 404, 410).
        public static let notFound = Self("notFound", 1004)
        /// The SDK asked without a context, or with an ID that Fleet Engine doesn't allow.
        public static let invalidContext = Self("invalidContext", 1005)
        /// The server's URL, the credentials' header fields or the response format is not usable.
        public static let invalidConfiguration = Self("invalidConfiguration", 1006)
        /// The connection is not secure: a certificate is not trusted, or App Transport Security forbids it.
        public static let insecureConnection = Self("insecureConnection", 1007)
        /// The server redirected elsewhere; the credentials stayed here.
        public static let redirected = Self("redirected", 1008)
        /// The answer is not what the response format says, or too large.
        public static let unexpectedResponse = Self("unexpectedResponse", 1009)
        /// The server issued a token for something else than was asked for.
        public static let wrongScope = Self("wrongScope", 1010)
        /// A source asked its own provider for the scope that it is fetching.
        public static let reentrantFetch = Self("reentrantFetch", 1011)
        /// New tokens were rejected again and again right after they had been fetched.
        public static let tokenRejected = Self("tokenRejected", 1012)
        /// The token cannot live as long as the caller wants.
        public static let insufficientLifetime = Self("insufficientLifetime", 1013)

        // MARK: Passes by itself

        /// This device has no network: it is offline, or may not use the network that there is.
        public static let offline = Self("offline", 2001)
        /// The server or the way to it failed: any HTTP 5xx but 504, a connection that is refused or breaks, or an answer
        /// that is not HTTP.
        public static let unavailable = Self("unavailable", 2002)
        /// The server took too long, or the caller's own limit passed.
        public static let deadlineExceeded = Self("deadlineExceeded", 2003)
        /// Too many requests (HTTP 429).
        public static let resourceExhausted = Self("resourceExhausted", 2004)
        /// The server issued a token that had expired already.
        public static let alreadyExpired = Self("alreadyExpired", 2005)
        /// ``CachingTokenProvider/remove(_:)`` or ``CachingTokenProvider/removeAll()`` came in between.
        public static let removed = Self("removed", 2006)
        /// The call was cancelled with ``TokenCall/cancel()``.
        public static let cancelled = Self("cancelled", 2007)
    }
}
