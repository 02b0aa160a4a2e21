import FleetToken
import Foundation
import Testing

@testable import TokenProvider

struct ErrorResponseTests {
    private func error(_ body: some Sequence<UInt8>, status: Int = 400) -> TokenProviderError {
        var answer = ServerResponse(status: status)
        answer.body = Data(body)
        answer.requestID = "header-id"
        return TokenProviderError(answer, retryAfter: nil)
    }

    @Test
    func `An error says what tokend said: its reason, message and request ID`() throws {
        let tokenError = try #require(throws: TokenError.self) { try ResourceID("a/b") }
        let error = error(tokenError.encoded(requestID: "abc123"))
        #expect(error.code == .invalidArgument)
        #expect(error.serverReason == "INVALID_ID")
        #expect(
            error.message
                == #"An ID is not valid. Use none of / : ? , # * \, no percent escapes and no invisible characters."#
        )
        #expect(error.requestID == "abc123")
        #expect("\(error)".hasSuffix("(request abc123)"))
        #expect(error.errorUserInfo["FleetTokenServerReason"] as? String == "INVALID_ID")
        #expect(error.errorUserInfo["FleetTokenRequestID"] as? String == "abc123")
    }

    @Test(
        arguments: [
            #"{"error":{"message":"No trip-1","details":[{"reason":"NO_TRIP","domain":"example.com"}]}}"#,
            #"{"error":{"message":"No trip-1","details":[{"reason":"NO_TRIP"}]}}"#,
        ]
    )
    func `Of another server only the reason is kept, and nothing that could hold an ID`(body: String) throws {
        let error = error(Array(body.utf8), status: 403)
        #expect(error.serverReason == "NO_TRIP")
        #expect(!String(reflecting: error).contains("trip-1"))
        #expect(error.requestID == "header-id")
    }

    @Test(
        arguments: [
            "", "{}", "[]", "No trip-1", #"{"error":"No trip-1"}"#, #"{"error":{"message":"No trip-1"}}"#,
            #"{"error":{"details":[{"reason":1}]}}"#, #"{"error":{"details":{"reason":"A"}}}"#,
            #"{"error":{"message":"a\ntrip-1","details":[{"reason":"lower case","domain":"fleet-token"}]}}"#,
        ]
    )
    func `A body of another form, or a message that is no line of text, says nothing`(body: String) throws {
        let error = error(Array(body.utf8))
        #expect(error.serverReason == nil)
        #expect(!String(reflecting: error).contains("trip-1"))
    }

    @Test
    func `A message that is too long is left out`() throws {
        let text = String(repeating: "x", count: 501)
        let body = #"{"error":{"message":"\#(text)","details":[{"reason":"A","domain":"fleet-token"}]}}"#
        #expect(!error(Array(body.utf8)).message.contains("xxx"))
    }
}
