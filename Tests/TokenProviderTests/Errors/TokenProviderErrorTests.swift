import Foundation
import Testing

@testable import TokenProvider

struct TokenProviderErrorTests {
    /// The table of `ErrorsAndWhatToDo`; the codes of statuses are in the table of cases.
    @Test(
        arguments: [
            (TokenProviderError.Code.invalidArgument, 1001, TokenProviderError.Remedy.developer),
            (.unauthenticated, 1002, .signIn), (.permissionDenied, 1003, .developer),
            (.invalidConfiguration, 1005, .developer), (.unexpectedResponse, 1006, .developer),
            (.tokenRejected, 1007, .developer), (.offline, 2001, .wait), (.insecureConnection, 2002, .wait),
            (.unavailable, 2003, .wait), (.resourceExhausted, 2005, .wait), (.signedOut, 2006, .wait),
        ]
    )
    func `Each code has the number and the remedy of the guide's table`(
        code: TokenProviderError.Code,
        number: Int,
        remedy: TokenProviderError.Remedy
    ) {
        #expect(code.rawValue == number)
        #expect(TokenProviderError(code, "").remedy == remedy)
    }

    @Test(
        arguments: [
            (URLError.Code.timedOut, TokenProviderError.Code.unavailable), (.notConnectedToInternet, .offline),
            (.dataNotAllowed, .offline), (.internationalRoamingOff, .offline), (.callIsActive, .offline),
            (.networkConnectionLost, .unavailable), (.cannotConnectToHost, .unavailable),
            (.cannotFindHost, .unavailable), (.dnsLookupFailed, .unavailable), (.cancelled, .unavailable),
            (.serverCertificateUntrusted, .insecureConnection), (.serverCertificateHasUnknownRoot, .insecureConnection),
            (.appTransportSecurityRequiresSecureConnection, .invalidConfiguration), (.badURL, .invalidConfiguration),
            (.badServerResponse, .unavailable), (.cannotParseResponse, .unavailable),
            (.unsupportedURL, .unavailable), (.redirectToNonExistentLocation, .unavailable),
            (.secureConnectionFailed, .unavailable), (.unknown, .unavailable),
            (.dataLengthExceedsMaximum, .unexpectedResponse),
        ]
    )
    func `A network error says whether it is transient`(urlCode: URLError.Code, code: TokenProviderError.Code) {
        let error = TokenProviderError(source: URLError(urlCode))
        #expect(error.code == code)
        #expect(error.message.contains("\(urlCode.rawValue)"))
    }

    @Test(
        arguments: [
            (URLError.Code.notConnectedToInternet, Cooldown.device), (.serverCertificateUntrusted, .device),
            (.timedOut, .connection), (.networkConnectionLost, .connection), (.cannotConnectToHost, .connection),
            (.cannotFindHost, .connection), (.badServerResponse, .scope(0)), (.cannotParseResponse, .scope(0)),
            (.unsupportedURL, .scope(0)), (.dataLengthExceedsMaximum, .permanent),
        ]
    )
    func `Only a network error without a response is the device's`(urlCode: URLError.Code, cooldown: Cooldown) {
        #expect(TokenProviderError(source: URLError(urlCode)).cooldown == cooldown)
    }

    @Test
    func `Objective-C gets an NSError with a domain, a code and what to do`() {
        let error = TokenProviderError(.resourceExhausted, "Slow down.", retryAfter: 7, httpStatus: 429)
        let bridged = (error as any Error) as NSError
        #expect(bridged.domain == "FleetToken.TokenProviderError")
        #expect(bridged.code == 2005)
        #expect(bridged.localizedDescription == "Slow down.")
        #expect(error.errorUserInfo["FleetTokenRemedy"] as? String == "wait")
        #expect(error.errorUserInfo["FleetTokenRetryAfter"] as? TimeInterval == 7)
        #expect(error.errorUserInfo["FleetTokenHTTPStatus"] as? Int == 429)
        #expect(TokenProviderError(.invalidArgument, "").errorUserInfo["FleetTokenRetryAfter"] == nil)
    }

    @Test(
        arguments: [(7, 7), (0, 0), (-1, 0), (3600, 3600), (3601, 3600), (.infinity, 3600), (.nan, nil)]
            as [(TimeInterval, TimeInterval?)]
    )
    func `The retry delay stays within its bounds`(given: TimeInterval, kept: TimeInterval?) {
        #expect(TokenProviderError(.unavailable, "", retryAfter: given).retryAfter == kept)
    }

    @Test
    func `The description has the code and what to do`() {
        #expect("\(TokenProviderError(.invalidArgument, "Check the URL."))" == "1001: Check the URL.")
    }

    @Test
    func `No code has the number of a gRPC code`() {
        for code in TokenProviderError.Code.all {
            let remedy = TokenProviderError(code, "").remedy
            #expect(code.rawValue > 1_000 && (remedy == .wait) == (code.rawValue > 2_000))
        }
    }

    @Test
    func `An error of another type is named without its text`() {
        struct Failure: Error { let secret = "SECRET" }
        let error = TokenProviderError(source: Failure())
        #expect(error.message.contains("Failure"))
        #expect(!String(reflecting: error).contains("SECRET"))
    }

    @Test(arguments: ["", "lower", "A B", "A\n", "É", String(repeating: "A", count: 129)])
    func `A reason or request ID that could hold anything else is dropped`(text: String) {
        var response = ServerResponse(status: 400)
        response.requestID = text + "\u{7F}"
        response.body = Data(#"{"error":{"details":[{"reason":"\#(text.replacing("\n", with: "\\n"))"}]}}"#.utf8)
        let error = TokenProviderError(response, retryAfter: nil)
        #expect(error.serverReason == nil)
        #expect(error.requestID == nil)
    }
}
