import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension TokenProviderError {
    /// Creates the error for calls from an error of a fetch or credentials closure, or of the URL loading system.
    ///
    /// The text of the original error is dropped: it may contain an ID, a URL or a secret.
    init(source error: any Error) {
        switch error {
        case let error as TokenProviderError: self = error
        case let error as URLError: self.init(error)
        // The provider doesn't cancel a fetch that a call waits for, so the closure cancelled itself.
        case is CancellationError: self.init(.unavailable, "The fetch was cancelled.")
        case let error as NSError where error.domain == Self.errorDomain: self.init(bridged: error)
        default:
            self.init(
                .unavailable,
                "The fetch failed with an error of type \(type(of: error)) (\(error._domain) \(error._code))."
            )
        }
    }

    /// Creates the error that a block in Objective-C describes by code and user info; with an unknown code it is transient.
    private init(bridged error: NSError) {
        self.init(
            Code(rawValue: error.code) ?? .unavailable,
            error.localizedDescription,
            retryAfter: error.userInfo["FleetTokenRetryAfter"] as? TimeInterval,
            httpStatus: error.userInfo["FleetTokenHTTPStatus"] as? Int
        )
    }

    private init(_ error: URLError) {
        let (code, message) = Self.meaning(of: error.code)
        self.init(code, "\(message) (\(NSURLErrorDomain) \(error.errorCode))")
        if code == .unavailable, !error.code.isInvalidResponse { cooldown = .connection }
    }

    private static func meaning(of code: URLError.Code) -> (Code, String) {
        switch code {
        case .timedOut: (.unavailable, "The token server did not respond in time.")
        case .notConnectedToInternet, .dataNotAllowed, .internationalRoamingOff, .callIsActive:
            (.offline, "This device has no network connection.")
        case .badURL: (.invalidConfiguration, "The token server's URL is invalid.")
        case .appTransportSecurityRequiresSecureConnection, .clientCertificateRejected, .clientCertificateRequired:
            (
                .invalidConfiguration,
                "The connection is not allowed. Check App Transport Security and client certificates."
            )
        case .serverCertificateHasBadDate, .serverCertificateUntrusted, .serverCertificateHasUnknownRoot,
            .serverCertificateNotYetValid:
            (
                .insecureConnection,
                "The server's certificate is not trusted. Sign in to the network, or check the certificate and the device's clock."
            )
        case .dataLengthExceedsMaximum: (.unexpectedResponse, "The token server's response is too large.")
        case _ where code.isInvalidResponse:
            (
                .unavailable,
                "The token server sent an invalid HTTP response. If this persists, check the server and the proxies in front of it."
            )
        case .secureConnectionFailed:
            // A server that restarts behind a load balancer causes this too.
            (
                .unavailable,
                "The TLS handshake failed. If this persists, check the server's TLS versions and certificate."
            )
        case .cannotFindHost, .dnsLookupFailed:
            (.unavailable, "The token server's name cannot be resolved. Check its URL and the network.")
        default: (.unavailable, "The token server is unreachable.")
        }
    }
}

extension URLError.Code {
    /// Whether a response came that is not HTTP.
    fileprivate var isInvalidResponse: Bool {
        switch self {
        case .badServerResponse, .cannotParseResponse, .cannotDecodeContentData, .cannotDecodeRawData,
            // The scheme was checked before: FoundationNetworking reports this for a status line that it cannot parse.
            .redirectToNonExistentLocation, .unsupportedURL:
            true
        default: false
        }
    }
}
