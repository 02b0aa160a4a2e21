import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

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
                underlyingError: UnderlyingError(domain: error._domain, code: error._code)
            )
        }
    }

    private init(_ error: URLError) {
        let (code, message) = Self.meaning(of: error.code)
        let underlying = UnderlyingError(domain: NSURLErrorDomain, code: error.errorCode)
        self.init(code, "\(message) (\(underlying))", underlyingError: underlying)
    }

    private static func meaning(of code: URLError.Code) -> (Code, String) {
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

extension TokenProviderError.UnderlyingError {
    /// The server refuses connections, so all scopes' fetches fail alike.
    static let refusedConnection = Self(domain: NSURLErrorDomain, code: URLError.Code.cannotConnectToHost.rawValue)
}
