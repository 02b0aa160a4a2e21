import FleetToken
import TestTools
import Testing

@testable import TokenIssuance

/// A request is granted exactly when the reference rule says so, whatever the configuration.
@Suite struct GrantPropertyTests {
    @Test(arguments: UInt64(1)...10)
    func `Random requests are decided as the reference rule decides them`(seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        var outcomes = (granted: 0, kindDenied: 0, idDenied: 0)
        for _ in 0..<400 {
            let rule = generator.rule()
            let authorizer = try rule.authorizer()
            for _ in 0..<10 {
                let request = generator.request()
                let expected = rule.allows(request)
                let decision = try await authorizer.decide(try request.serviceCaller(), try request.serviceScope())
                #expect((decision.grant != nil) == expected, "\(decision) for \(request) and \(rule)")
                var authorized: String?
                var refusal: TokenError.Reason?
                do {
                    authorized = try await authorizer.authorize(
                        try request.serviceCaller(),
                        for: try request.serviceScope(),
                        in: .sample
                    )
                } catch let error as Refusal {
                    refusal = error.error.reason
                }
                #expect(authorized == decision.grant)
                #expect(refusal == (decision.grant == nil ? decision.denial.reason : nil))
                if let name = decision.grant {
                    #expect(rule.grants.contains { $0.name == name && rule.allows($0, request) })
                    outcomes.granted += 1
                } else if decision.denial.reason == .kindNotGranted {
                    outcomes.kindDenied += 1
                } else {
                    #expect(decision.denial.reason == .idNotGranted)
                    outcomes.idDenied += 1
                }
            }
        }
        #expect(min(outcomes.granted, outcomes.kindDenied, outcomes.idDenied) > 100, "\(outcomes)")
    }
}

// MARK: - Random rules and requests

extension SeededGenerator {
    private static let ids = ["v1", "v2", "p-1", "p-22", "p-", "any", "null"]
    private static let texts = ids + ["*", "", "a/b", "..", "v1 ", "{claims.x}"]
    private static let kinds = KindCase.names

    fileprivate mutating func rule() -> ReferenceRule {
        ReferenceRule(
            grants: (0..<Int.random(in: 0...4, using: &self)).map { grant("grant-\($0)") },
            webhooks: ["w1": some(of: Self.ids, 0.6), "w2": some(of: Self.ids, 0.6)]
        )
    }

    private mutating func grant(_ name: String) -> ReferenceRule.Grant {
        ReferenceRule.Grant(
            name: name,
            callers: some(of: ["app", "backend", "other"], 0.7),
            role: chance(0.3) ? pick(["driver", "admin"]) : nil,
            kinds: some(of: Self.kinds, 0.6),
            ids: rule(for: "vehicle"),
            tasks: chance(0.5) ? rule(for: "task") : nil
        )
    }

    private mutating func rule(for claim: String) -> ReferenceRule.IDs {
        switch Int.random(in: 0..<6, using: &self) {
        case 0, 1: .claim(claim)
        case 2: .list(some(of: Self.ids, 0.5))
        case 3: .prefix("p-")
        case 4: .webhook(pick(["w1", "w2"]))
        default: .any
        }
    }

    fileprivate mutating func request() -> ReferenceRule.Request {
        let kind = pick(Self.kinds)
        var request = ReferenceRule.Request(
            caller: pick(["app", "backend", "other", "stranger"]),
            isAdmin: chance(0.5),
            isAnonymous: chance(0.1),
            claims: [:],
            kind: kind,
            ids: [pick(Self.ids)],
            tasks: []
        )
        for name in ["vehicle", "task", "role"] where chance(0.9) { request.claims[name] = claim(name) }
        switch kind {
        case "trusted_delivery_driver": request.tasks = chance(0.7) ? [pick(Self.ids)] : []
        case "delivery_server": request.ids = some(of: Self.ids, chance(0.5) ? 0.3 : 0)
        case _ where KindCase.privilegedNames.contains(kind): request.ids = []
        default: break
        }
        return request
    }

    private mutating func claim(_ name: String) -> ReferenceRule.Claim {
        let texts = name == "role" ? ["driver", "admin", "Driver", "*"] : Self.texts
        switch Int.random(in: 0..<10, using: &self) {
        case 0: return .other
        case 1...4: return .text(pick(texts))
        case 5: return .texts([.other, .text(pick(texts))])
        default: return .texts(some(of: name == "role" || chance(0.2) ? texts : Self.ids, 0.5).map { .text($0) })
        }
    }

    private mutating func some(of elements: [String], _ probability: Double) -> [String] {
        elements.filter { _ in chance(probability) }
    }
}

// MARK: - The same for the service

extension ReferenceRule {
    fileprivate func authorizer() throws -> GrantAuthorizer {
        GrantAuthorizer(
            grants: try grants.map { grant in
                .sample(
                    grant.name,
                    callers: grant.callers,
                    conditions: grant.role.map { [ClaimCondition(path: ["role"], value: .string($0))] } ?? [],
                    kinds: grant.kinds.compactMap(TokenKind.init(rawValue:)),
                    ids: try grant.ids.rule(),
                    tasks: try grant.tasks?.rule()
                )
            },
            webhooks: try webhooks.mapValues { ids in
                try GrantSamples.webhook(
                    StubWebhook { scope in scope.ids.allSatisfy { ids.contains($0.rawValue) } ? .allowed : .denied }
                )
            }
        )
    }
}

extension ReferenceRule.IDs {
    fileprivate func rule() throws -> IDRule {
        switch self {
        case .claim(let name): .claim(path: [name])
        case .list(let ids): .list(Set(try ids.map { try ResourceID($0) }))
        case .prefix(let prefix): .patterns([try IDPattern("\(prefix)?*")])
        case .any: .any
        case .webhook(let name): .webhook(name: name)
        }
    }
}

extension ReferenceRule.Request {
    fileprivate func serviceCaller() throws -> Caller {
        var object = JSONObject()
        for (name, claim) in claims { _ = object.append(.init(name, claim.json)) }
        return Caller(
            method: isAnonymous ? .anonymous : .jwt,
            name: caller,
            subject: "s",
            claims: object,
            rateLimit: .perUser,
            isAdmin: isAdmin && !isAnonymous
        )
    }

    fileprivate func serviceScope() throws -> TokenScope {
        let kind = try #require(TokenKind(rawValue: kind))
        return kind.isPrivileged
            ? try TokenScope(kind: kind, id: nil, taskIDs: ids)
            : try TokenScope(kind: kind, id: ids.first, taskIDs: tasks)
    }
}

extension ReferenceRule.Claim {
    fileprivate var json: JSONValue {
        switch self {
        case .text(let text): .string(text)
        case .texts(let claims): .array(claims.map(\.json))
        case .other: .integer(1)
        }
    }
}
