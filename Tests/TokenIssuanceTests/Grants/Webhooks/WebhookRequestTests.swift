import FleetToken
import TestTools
import Testing
import TokenMinting

@testable import TokenIssuance

@Suite struct WebhookRequestTests {
    private static func body(_ scope: TokenScope, caller: Caller? = nil, claims: [String] = []) throws -> String {
        let caller = try caller ?? GrantSamples.caller()
        return String(decoding: WebhookRequest(caller, scope, claims: claims).body, as: UTF8.self)
    }

    private static let caller = #"{"caller":{"method":"jwt","name":"app","subject":"subject-1","claims":{}}"#

    @Test(arguments: KindCase.all)
    func `The request names caller, kind, IDs and tasks`(row: KindCase) throws {
        let ids = row.id.map { [$0] } ?? row.tasks
        let tasks = row.id == nil ? [] : row.tasks
        let members =
            [#""kind":"\#(row.kind)""#] + (ids.isEmpty ? [] : [#""ids":[\#(Self.list(ids))]"#])
            + (tasks.isEmpty ? [] : [#""tasks":[\#(Self.list(tasks))]"#])
        #expect(try Self.body(try row.scope()) == "\(Self.caller),\(members.joined(separator: ","))}")
    }

    private static func list(_ ids: [String]) -> String { ids.map { "\"\($0)\"" }.joined(separator: ",") }

    @Test
    func `Only the configured claims are sent`() throws {
        let claims = #"{"sub":"u","role":["a",1,1.50,null,{"b":true}],"email":"private@example.com","exp":1}"#
        let caller = try GrantSamples.caller(claims: claims)
        let body = try Self.body(.server, caller: caller, claims: ["role", "missing", "sub"])
        #expect(body.contains(#""claims":{"role":["a",1,1.50,null,{"b":true}],"sub":"u"}}"#))
        #expect(!body.contains("private") && !body.contains("exp") && !body.contains("missing"))
    }

    @Test
    func `Each subject of an issuer has a queue of its own`() {
        let callers = ["a", "b"].map { subject in
            let person = Caller(method: .jwt, name: "app", subject: subject, claims: .init(), rateLimit: .perUser)
            return WebhookRequest(person, .server, claims: []).queue
        }
        #expect(Set(callers).count == 2)
    }
}
