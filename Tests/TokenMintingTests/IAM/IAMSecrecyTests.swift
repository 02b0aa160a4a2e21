import FleetToken
import ServiceSupport
import TestTraits
import Testing

@testable import TokenMinting

/// No access token, assertion or key shows in what is used to sign at Google.
@Suite(.watchdog) struct IAMSecrecyTests {
    @Test("No error or log shows what is sent to Google", .tags(.s2))
    func nothingShowsWhatIsSentToGoogle() async throws {
        let scene = try Scene(caller: try Accounts.second())
        let minted = try await scene.mint()
        let token = try #require(scene.google.tokens.first)
        var request = OutgoingRequest(.post, "https://example.invalid")
        request.bearer = token
        request.body = minted.token
        let answer = OutgoingResponse(status: 200, body: token)
        let values: [Any] = [
            scene.client, scene.signer, request, answer,
            try SignJWTResponse(
                try scene.google.anyAnswer()
            ),
        ]
        for value in values {
            var dumped = ""
            dump(value, to: &dumped)
            let shows = ["\(value)", String(reflecting: value), dumped].contains { text in
                text.contains(token.revealText()) || text.contains("eyJ") || text.contains("PRIVATE")
            }
            #expect(!shows, "\(type(of: value))")
        }
    }
}

extension FakeGoogle {
    /// An answer with a signed token in it.
    fileprivate func anyAnswer() throws -> Secret {
        var request = OutgoingRequest(.post, "https://example.invalid")
        request.body = Secret(#"{"payload":"{}"}"#)
        return try signed(request).body
    }
}
