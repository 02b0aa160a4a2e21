package import ExpiringCache
import FleetToken
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension TokenProviderError: FetchFailure {
    package var retry: FetchRetry { needsAction ? .permanent : .retryable(after: retryAfter) }

    package var extent: FailureExtent {
        switch code {
        // `tokend` limits callers: its 429 concerns all scopes of this one.
        case .resourceExhausted where serverReason == TokenError.Reason.rateLimited.rawValue: .source
        case .resourceExhausted: .limit
        case .unavailable:
            retryAfter != nil || isRefusedConnection ? .source : .undetermined
        case .deadlineExceeded: .undetermined
        // Without a response, the app's own closure says that no user is signed in.
        case .unauthenticated where httpStatus == nil: .none
        default: .key
        }
    }

    /// Whether the server refuses connections, so that all scopes' fetches fail alike.
    private var isRefusedConnection: Bool {
        guard let cause = underlyingError else { return false }
        return cause.domain == NSURLErrorDomain && cause.code == URLError.Code.cannotConnectToHost.rawValue
    }
}

extension TokenProviderError {
    /// Creates the error for callers from an error of the cache.
    init(_ error: CacheError) {
        if let failure = error.underlying as? TokenProviderError {
            // The cache knows best when it will fetch again: it adds its own pause to the server's.
            self = failure
            retryAfter = error.retryAfter ?? failure.retryAfter
            return
        }
        let (code, message) = Self.meaning(of: error.code)
        self.init(code, message, retryAfter: error.retryAfter)
    }

    private static func meaning(of code: CacheError.Code) -> (TokenErrorCode, String) {
        switch code {
        case .fetchTimedOut: (.deadlineExceeded, "The token source timed out.")
        case .timedOut: (.deadlineExceeded, "The call timed out before the token was fetched.")
        case .insufficientLifetime:
            (
                .insufficientLifetime,
                "The lifetime of the server's tokens is shorter than validFor. Pass a smaller value."
            )
        case .alreadyExpired:
            (
                .alreadyExpired,
                "The token had expired on arrival. Check the server's clock, the lifetime of its tokens and its latency."
            )
        case .rejected:
            (.tokenRejected, "Fleet Engine rejects new tokens too. Check the server's keys, clock and claims.")
        case .stuck:
            (
                .unavailable,
                "Earlier fetches of this token are still running. The source must return when its task is cancelled."
            )
        case .reentrant:
            (
                .invalidConfiguration,
                "The token source requests the same scope from its own provider. Fetch without the provider."
            )
        case .removed: (.removed, "The token was removed while the call waited. Request it again if you still need it.")
        default: (.unavailable, "The token could not be fetched.")
        }
    }
}

extension TokenProviderError {
    /// Creates the error for callers from an error of a source or a credentials closure.
    ///
    /// The text of the original error is dropped: it may contain an ID, a URL or a secret.
    init(source error: any Error) {
        switch error {
        case let error as TokenProviderError: self = error
        case let error as URLError: self.init(error)
        // The provider doesn't cancel a fetch that a caller waits for, so the source cancelled itself.
        case is CancellationError: self.init(.unavailable, "The token source was cancelled.")
        default:
            self.init(
                .unavailable,
                "The token source failed with an error of type \(type(of: error)).",
                underlyingError: error
            )
        }
    }

    private init(_ error: URLError) {
        let (code, message) = Self.meaning(of: error.code)
        self.init(code, "\(message) (\(NSURLErrorDomain) \(error.errorCode))", underlyingError: error)
    }

    private static func meaning(of code: URLError.Code) -> (TokenErrorCode, String) {
        switch code {
        case .timedOut: (.deadlineExceeded, "The token server did not respond in time.")
        case .notConnectedToInternet, .dataNotAllowed, .internationalRoamingOff, .callIsActive:
            (.offline, "This device has no network connection.")
        case .badURL: (.invalidConfiguration, "The token server's URL is invalid.")
        case .serverCertificateHasBadDate, .serverCertificateUntrusted, .serverCertificateHasUnknownRoot,
            .serverCertificateNotYetValid, .clientCertificateRejected, .clientCertificateRequired,
            .appTransportSecurityRequiresSecureConnection:
            (
                .insecureConnection,
                "No secure connection to the token server. Check its certificate, the device's clock and App Transport "
                    + "Security."
            )
        case .dataLengthExceedsMaximum, .httpTooManyRedirects:
            (.unexpectedResponse, "The token server's response is too large, or it redirects in a loop.")
        case .badServerResponse, .cannotParseResponse, .cannotDecodeContentData, .cannotDecodeRawData,
            // The scheme was checked before: FoundationNetworking reports this for a status line that it cannot parse.
            .redirectToNonExistentLocation, .unsupportedURL:
            (
                .unavailable,
                "The token server closed the connection or sent an invalid HTTP response. If this persists, check the server and the "
                    + "proxies in front of it."
            )
        case .secureConnectionFailed:
            // A server that restarts behind a load balancer causes this too.
            (
                .unavailable,
                "The TLS handshake with the token server failed. If this persists, check the server's TLS versions and its "
                    + "certificate."
            )
        case .cannotFindHost, .dnsLookupFailed:
            (.unavailable, "The token server's name cannot be resolved. Check its URL and the network.")
        default: (.unavailable, "The token server is unreachable.")
        }
    }
}
