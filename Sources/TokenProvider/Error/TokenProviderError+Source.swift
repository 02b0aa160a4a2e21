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
        case .badURL, .unsupportedURL:
            self.init(.invalidConfiguration, "The token server's URL is not usable (NSURLErrorDomain \(number)).")
        case .secureConnectionFailed, .serverCertificateHasBadDate, .serverCertificateUntrusted,
            .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid, .clientCertificateRejected,
            .clientCertificateRequired, .appTransportSecurityRequiresSecureConnection:
            self.init(
                .insecureConnection,
                "No secure connection to the token server: check its certificate, the device's clock and App Transport "
                    + "Security (NSURLErrorDomain \(number))."
            )
        case .badServerResponse, .cannotParseResponse, .cannotDecodeContentData, .cannotDecodeRawData,
            .dataLengthExceedsMaximum, .httpTooManyRedirects, .redirectToNonExistentLocation:
            self.init(.unexpectedResponse, "The answer is not proper HTTP (NSURLErrorDomain \(number)).")
        default:
            self.init(.unavailable, "The token server cannot be reached (NSURLErrorDomain \(number)).")
        }
    }
}
