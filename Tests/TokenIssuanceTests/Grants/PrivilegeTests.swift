import FleetToken
import TestTools
import Testing

@testable import TokenIssuance

/// Only admins get tokens without restriction.
@Suite struct PrivilegeTests {
    typealias Samples = GrantSamples

    static let privileged = TokenKind.allCases.filter(\.isPrivileged)

    private static func scopes(of kind: TokenKind) throws -> [TokenScope] {
        try KindCase.all.map { try $0.scope() }.filter { $0.kind == kind }
    }

    @Test(arguments: privileged)
    func `A privileged kind requires a grant, and a caller that is an admin`(kind: TokenKind) async throws {
        for scope in try Self.scopes(of: kind) {
            for grantSaysSo in [true, false] {
                for (method, isAdmin) in [
                    (Caller.Method.apiKey, true), (.apiKey, false), (.jwt, true), (.jwt, false), (.anonymous, false),
                ] {
                    let kinds = TokenKind.allCases.filter { grantSaysSo || $0 != kind }
                    let authorizer = try Samples.authorizer(.sample(kinds: kinds, ids: .any, tasks: .any))
                    let caller = try Samples.caller(method: method, isAdmin: isAdmin)
                    let reason = try await authorizer.refusal(caller, scope)
                    #expect(reason == (grantSaysSo && isAdmin ? nil : .kindNotGranted))
                }
            }
        }
    }

    @Test(arguments: try privileged.map { try TokenScope(kind: $0, id: nil) })
    func `Only the rule any grants access to everything`(scope: TokenScope) async throws {
        let backend = try Samples.caller(claims: #"{"ids":["*"],"all":"*","every":[]}"#, isAdmin: true)
        let rules: [IDRule] = [
            try .ids("v1"), .list([]), .claim(path: ["ids"]), .claim(path: ["all"]), .claim(path: ["every"]),
            .patterns([try IDPattern("??*")]), .webhook(name: "yes"),
        ]
        let webhook = StubWebhook(.allowed)
        for rule in rules {
            let authorizer = try Samples.authorizer(
                .sample(kinds: [scope.kind], ids: rule, tasks: .any),
                webhooks: ["yes": webhook]
            )
            #expect(try await authorizer.refusal(backend, scope) == .idNotGranted)
        }
        #expect(webhook.asked.isEmpty)
    }
}
