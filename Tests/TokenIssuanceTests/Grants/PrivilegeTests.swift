import FleetToken
import TestTools
import Testing

@testable import TokenIssuance

/// Tokens that open everything need a yes in every place.
@Suite struct PrivilegeTests {
    typealias Samples = GrantSamples

    static let privileged = TokenKind.allCases.filter(\.isPrivileged)

    private static func scopes(of kind: TokenKind) throws -> [TokenScope] {
        try KindCase.all.map { try $0.scope() }.filter { $0.kind == kind }
    }

    @Test(.tags(.a1), arguments: privileged)
    func `A privileged kind requires that kind, grant and caller all allow it`(kind: TokenKind) async throws {
        for scope in try Self.scopes(of: kind) {
            for kindSaysSo in [true, false] {
                for grantSaysSo in [true, false] {
                    for (method, isApp) in [(Caller.Method.apiKey, false), (.jwt, true), (.anonymous, false)] {
                        let authorizer = Samples.authorizer(
                            .sample(kinds: TokenKind.allCases, ids: .any, tasks: .any, isPrivileged: grantSaysSo),
                            privilegedKinds: kindSaysSo ? [kind] : Set(TokenKind.allCases).subtracting([kind])
                        )
                        let caller = try Samples.caller(method: method, isApp: isApp)
                        let isAllowed = kindSaysSo && grantSaysSo && method == .apiKey
                        let reason = try await authorizer.refusal(caller, scope)
                        #expect(reason == (isAllowed ? nil : .kindNotGranted))
                    }
                }
            }
        }
    }

    @Test(
        .tags(.a1),
        arguments: try privileged.map { try TokenScope(kind: $0, id: nil) }
    )
    func `Only the rule any grants access to everything`(scope: TokenScope) async throws {
        let backend = try Samples.caller(claims: #"{"ids":["*"],"all":"*","every":[]}"#, isApp: false)
        let rules: [IDRule] = [
            try .ids("v1"), .list([]), .claim(path: ["ids"]), .claim(path: ["all"]), .claim(path: ["every"]),
            .patterns([try IDPattern("??*")]), .webhook(name: "yes"),
        ]
        let webhook = StubWebhook(.allowed)
        for rule in rules {
            let authorizer = Samples.authorizer(
                .sample(kinds: [scope.kind], ids: rule, tasks: .any, isPrivileged: true),
                privilegedKinds: [scope.kind],
                webhooks: ["yes": webhook]
            )
            #expect(try await authorizer.refusal(backend, scope) == .idNotGranted)
        }
        #expect(await webhook.asked.isEmpty)
    }
}
