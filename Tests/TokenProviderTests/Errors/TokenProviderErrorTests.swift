import Foundation
import TestTraits
import Testing

@testable import TokenProvider

@Suite("Errors of the client")
struct TokenProviderErrorTests {
    /// The guides' table: HTTP status, the gRPC code that an `NSError` of domain `io.grpc` has, and who acts.
    @Test(
        "Errors map to the guides' table",
        arguments: [
            (400, TokenErrorCode.invalidArgument, 1001, true),
            (401, .unauthenticated, 1002, true), (403, .permissionDenied, 1003, true),
            (404, .notFound, 1004, true), (429, .resourceExhausted, 2004, false),
            (503, .unavailable, 2002, false), (504, .deadlineExceeded, 2003, false),
        ]
    )
    func guidesTable(status: Int, code: TokenErrorCode, number: Int, needsAction: Bool) throws {
        let error = TokenProviderError(refusal: TransferResponse(status: status), retryAfter: nil)
        #expect(error.code == code)
        #expect(error.code.rawValue == number)
        #expect(error.needsAction == needsAction)
    }

    @Test("Errors with a cause of the system can be compared and kept in a set")
    func errorsInASet() {
        let errors = [URLError.Code.timedOut, .timedOut, .cannotFindHost].map {
            TokenProviderError(.unavailable, "Retry.", underlyingError: URLError($0))
        }
        #expect(Set(errors).count == 2 && errors[0] == errors[1])
        #expect(errors[2].underlyingError?.code == URLError.Code.cannotFindHost.rawValue)
    }

    @Test(
        "Network errors say whether they pass",
        arguments: [
            (URLError.Code.timedOut, TokenErrorCode.deadlineExceeded), (.notConnectedToInternet, .offline),
            (.dataNotAllowed, .offline), (.internationalRoamingOff, .offline), (.callIsActive, .offline),
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
    func networkErrors(urlCode: URLError.Code, code: TokenErrorCode) {
        #expect(TokenProviderError(source: URLError(urlCode)).code == code)
    }

    @Test("Objective-C gets an NSError with a domain, a code and what to do")
    func nsError() {
        let error = TokenProviderError(.resourceExhausted, "Slow down.", retryAfter: 7, httpStatus: 429)
        let bridged = (error as any Error) as NSError
        #expect(bridged.domain == "FleetToken.TokenProviderError")
        #expect(bridged.code == 2004)
        #expect(bridged.localizedDescription == "Slow down.")
        #expect(error.errorUserInfo["FleetTokenErrorCode"] as? String == "resourceExhausted")
        #expect(error.errorUserInfo["FleetTokenRetryAfter"] as? TimeInterval == 7)
        #expect(error.errorUserInfo["FleetTokenNeedsAction"] as? Bool == false)
        #expect(error.errorUserInfo["FleetTokenHTTPStatus"] as? Int == 429)
        #expect(TokenProviderError(.notFound, "").errorUserInfo["FleetTokenRetryAfter"] == nil)
    }

    @Test(
        "The wait stays within its bounds, from wherever it comes",
        .tags(.b45),
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

    @Test("No code has the number of a gRPC code, and the number says whether it needs action")
    func numbers() {
        for code in TokenErrorCode.allCases {
            #expect(code.rawValue > 1_000 && code.needsAction == (code.rawValue < 2_000))
        }
        #expect(
            Set(TokenErrorCode.allCases.map(\.description)).count == TokenErrorCode.allCases.count
        )
    }

    @Test("An error keeps which error of the system it stands for, and not that error's text")
    func underlying() {
        struct Failure: Error { let secret = "SECRET" }
        let offline = TokenProviderError(source: URLError(.notConnectedToInternet))
        #expect(offline.underlyingError == NSError(domain: NSURLErrorDomain, code: -1009))
        #expect(
            offline.nsError.userInfo[NSUnderlyingErrorKey] as? NSError == NSError(domain: NSURLErrorDomain, code: -1009)
        )
        let other = TokenProviderError(source: Failure())
        #expect(other.underlyingError?.domain.hasSuffix("Failure") == true)
        #expect(!String(reflecting: other).contains("SECRET"))
    }

    @Test(
        "A reason and a request ID that could hold anything else are dropped",
        arguments: ["", "lower", "A B", "A\n", "É", String(repeating: "A", count: 129)]
    )
    func bounds(text: String) {
        let error = TokenProviderError(.invalidArgument, "", serverReason: text, requestID: text + "\u{7F}")
        #expect(error.serverReason == nil)
        #expect(error.requestID == nil)
    }
}
