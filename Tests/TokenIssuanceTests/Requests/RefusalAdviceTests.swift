import FleetToken
import JOSE
import Logging
import ServiceSupport
import Testing

@testable import TokenIssuance
@testable import TokenMinting

/// The access log says what to do about each 401, 403, 429 and 503.
struct RefusalAdviceTests {
    private static func decision(_ verdicts: GrantDecision.Verdict...) -> GrantDecision {
        var decision = GrantDecision()
        for (number, verdict) in verdicts.enumerated() { decision.add(verdict, of: "grant-\(number)") }
        return decision
    }

    private static func webhook(_ result: WebhookResult) -> GrantDecision {
        decision(.denied(.webhook(name: "hook", result)))
    }

    static let refusals: [Refusal] =
        AuthenticationFailure.Code.allCases.map {
            Refusal.unauthenticated(AuthenticationFailure($0).of("app"))
        }
        + [
            .clockIsWrong, .clockChanged, Refusal.noTokenRequest(TokenError(.hostNotAllowed, "Use another name.")),
            Refusal.denied(decision()), Refusal.denied(decision(.denied(.kind))),
            Refusal.denied(decision(.denied(.everything))), Refusal.denied(webhook(.denied)),
            Refusal.denied(webhook(.noDecision("status 404"))), Refusal.denied(webhook(.noResponse("refused"))),
            Refusal.denied(webhook(.overloaded)), Refusal.notMinted(TokenError(.kindNotGranted, "Not offered.")),
            .queueFull(retryAfter: 1),
            .auditUnavailable(retryAfter: 1),
            .overAddressLimit(setting: "limits.x", retryAfter: 1, expired: .init(.expired)),
            .overAddressLimit(setting: "limits.x", retryAfter: 1),
            .overCallerLimit(setting: "limits.x", retryAfter: 1),
            Refusal.notMinted(TokenError(.rateLimited, "Retry later.", retryAfter: 1)),
            Refusal.notMinted(IAMError.permanent("Google returned 403.")),
        ]

    @Test(arguments: refusals.indices)
    func `The access log says what to do`(index: Int) throws {
        let refusal = Self.refusals[index]
        let advice = try #require(refusal.metadata["advice"]?.description)
        #expect(advice.utf8.last == UInt8(ascii: "."))
        #expect(refusal.consequences.lines != .none)
        #expect((refusal.metadata["decision"] != nil) == (PipelineScene.Ending(refusal) == .denied))
    }

    @Test(
        arguments: [
            (WebhookResult.denied, "Change a grant"), (.noDecision("status 404"), "Correct the response of"),
            (.noResponse("refused"), "Check the webhook"), (.overloaded, "Let the webhook"),
        ]
    )
    func `The advice is about what a webhook did`(result: WebhookResult, advice: String) throws {
        let decision = Self.decision(.denied(.everything), .denied(.webhook(name: "hook", result)))
        #expect(try #require(Refusal.denied(decision).metadata["advice"]?.description).hasPrefix(advice))
    }

    @Test
    func `A cause has a line of its own`() {
        #expect(Refusal.notMinted(JOSEError(.invalidKey, "The key cannot sign.")).metadata["advice"] == nil)
    }

    @Test
    func `Neither IDs nor a webhook's words are in the log`() throws {
        let decision = Self.decision(.denied(.id(try ResourceID("secret-id"))), .needsWebhook(["hook"]))
        let text = "\(Refusal.denied(decision).metadata)"
        #expect(text.contains("grant-0") && !text.contains("secret-id"))
    }
}
