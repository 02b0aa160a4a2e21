import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension TokenProviderError {
    /// The error that callers see for whatever a source or a credentials closure threw.
    ///
    /// Nothing of the original's text is kept: it may hold an ID, a URL or worse.
    init(source error: any Error) {
        switch error {
        case let error as TokenProviderError: self = error
        case let error as URLError: self.init(error)
        // The provider cancels no fetch that somebody still waits for, so the source cancelled itself.
        case is CancellationError: self.init(.unavailable, "The token's source was cancelled.")
        default: self.init(.unavailable, "The token's source failed with an error of type \(type(of: error)).")
        }
    }

    private init(_ error: URLError) {
        let number = error.errorCode
        switch error.code {
        case .timedOut:
            self.init(.deadlineExceeded, "The token server took too long (NSURLErrorDomain \(number)).")
        case .badURL:
            self.init(.invalidConfiguration, "The token server's URL is not usable (NSURLErrorDomain \(number)).")
        case .serverCertificateHasBadDate, .serverCertificateUntrusted, .serverCertificateHasUnknownRoot,
            .serverCertificateNotYetValid, .clientCertificateRejected, .clientCertificateRequired,
            .appTransportSecurityRequiresSecureConnection:
            self.init(
                .insecureConnection,
                "No secure connection to the token server: check its certificate, the device's clock and App Transport "
                    + "Security (NSURLErrorDomain \(number))."
            )
        case .dataLengthExceedsMaximum, .httpTooManyRedirects:
            self.init(
                .unexpectedResponse,
                "The token server's answer is too large or redirects in a circle (NSURLErrorDomain \(number))."
            )
        case .badServerResponse, .cannotParseResponse, .cannotDecodeContentData, .cannotDecodeRawData,
            // The scheme was checked before: FoundationNetworking says this of a status line that it cannot read.
            .redirectToNonExistentLocation, .unsupportedURL:
            self.init(
                .unavailable,
                "The token server broke off or gave no proper HTTP answer (NSURLErrorDomain \(number)); if it goes on, "
                    + "check the server and the proxies before it."
            )
        case .secureConnectionFailed:
            // A server that restarts behind a load balancer looks like this too.
            self.init(
                .unavailable,
                "The TLS handshake with the token server failed (NSURLErrorDomain \(number)); if it goes on, check the "
                    + "server's TLS versions and its certificate."
            )
        default:
            self.init(.unavailable, "The token server cannot be reached (NSURLErrorDomain \(number)).")
        }
    }
}
