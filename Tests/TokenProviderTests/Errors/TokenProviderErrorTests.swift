import Foundation
import Testing

@testable import TokenProvider

struct TokenProviderErrorTests {
    /// The guides' table: HTTP status, the gRPC code that an `NSError` of domain `io.grpc` has, and who acts.
    @Test(
        "Errors map to the guides' table",
        arguments: [
            (400, TokenProviderError.Code.invalidArgument, 3, TokenProviderError.Recovery.needsAction),
            (401, .unauthenticated, 16, .needsAction), (403, .permissionDenied, 7, .needsAction),
            (404, .notFound, 5, .needsAction), (429, .resourceExhausted, 8, .retry), (503, .unavailable, 14, .retry),
            (504, .deadlineExceeded, 4, .retry),
        ]
    )
    func guidesTable(
        status: Int,
        code: TokenProviderError.Code,
        grpcCode: Int,
        recovery: TokenProviderError.Recovery
    ) throws {
        let error = try #require(TokenProviderError(HTTPAnswer(status: status), retryAfter: nil))
        #expect(error.code == code)
        #expect(error.code.grpcCode == grpcCode)
        #expect(error.recovery == recovery)
    }

    @Test("Success is no error", arguments: [200, 201, 204, 299])
    func success(status: Int) {
        #expect(TokenProviderError(HTTPAnswer(status: status), retryAfter: nil) == nil)
    }

    @Test(
        "Network errors say whether they pass",
        arguments: [
            (URLError.Code.timedOut, TokenProviderError.Code.deadlineExceeded), (.notConnectedToInternet, .unavailable),
            (.networkConnectionLost, .unavailable), (.cannotConnectToHost, .unavailable),
            (.cannotFindHost, .unavailable),
            (.dnsLookupFailed, .unavailable), (.cancelled, .unavailable),
            (.serverCertificateUntrusted, .insecureConnection),
            (.appTransportSecurityRequiresSecureConnection, .insecureConnection), (.badURL, .invalidConfiguration),
            (.badServerResponse, .unavailable), (.cannotParseResponse, .unavailable),
            (.unsupportedURL, .unavailable), (.redirectToNonExistentLocation, .unavailable),
            (.secureConnectionFailed, .unavailable), (.unknown, .unavailable),
            (.dataLengthExceedsMaximum, .unexpectedResponse), (.httpTooManyRedirects, .unexpectedResponse),
        ]
    )
    func networkErrors(urlCode: URLError.Code, code: TokenProviderError.Code) {
        #expect(TokenProviderError(source: URLError(urlCode)).code == code)
    }

    @Test("Objective-C gets an NSError with a domain, the gRPC code and what to do")
    func nsError() {
        let error = TokenProviderError(.resourceExhausted, "Slow down.", retryAfter: 7, httpStatus: 429)
        let bridged = (error as any Error) as NSError
        #expect(bridged.domain == "FleetToken.TokenProviderError")
        #expect(bridged.code == 8)
        #expect(bridged.localizedDescription == "Slow down.")
        #expect(error.errorUserInfo[TokenProviderError.codeKey] as? String == "resourceExhausted")
        #expect(error.errorUserInfo[TokenProviderError.retryAfterKey] as? TimeInterval == 7)
        #expect(error.errorUserInfo[TokenProviderError.needsActionKey] as? Bool == false)
        #expect(TokenProviderError(.notFound, "").errorUserInfo[TokenProviderError.retryAfterKey] == nil)
    }

    @Test(
        "B45: The wait stays within its bounds, whoever gives it",
        arguments: [(7, 7), (0, 0), (-1, 0), (3600, 3600), (3601, 3600), (.infinity, 3600), (.nan, nil)]
            as [(TimeInterval, TimeInterval?)]
    )
    func retryAfter(given: TimeInterval, kept: TimeInterval?) {
        #expect(TokenProviderError(.unavailable, "", retryAfter: given).retryAfter == kept)
    }

    @Test("A description names the code and what to do")
    func description() {
        #expect("\(TokenProviderError(.notFound, "Check the URL."))" == "notFound: Check the URL.")
    }
}
