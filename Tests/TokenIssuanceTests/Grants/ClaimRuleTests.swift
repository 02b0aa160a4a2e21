import FleetToken
import Testing

@testable import TokenIssuance

/// IDs that come out of a caller's claim are values, never patterns or templates.
@Suite struct ClaimRuleTests {
    typealias Samples = GrantSamples

    private static func reason(claim: String, context id: String) async throws -> TokenError.Reason? {
        let authorizer = try Samples.authorizer(.sample(ids: .claim(path: ["vehicle_id"])))
        let caller = try Samples.caller(claims: #"{"vehicle_id":\#(claim)}"#)
        return try await authorizer.refusal(caller, try .vehicle(id))
    }

    @Test(
        arguments: [#""v1""#, #"["v1"]"#, #"["v0","v1","v2"]"#, #""\u00761""#]
    )
    func `A claim allows its value, or each element of its list`(claim: String) async throws {
        #expect(try await Self.reason(claim: claim, context: "v1") == nil)
        #expect(try await Self.reason(claim: claim, context: "v") == .idNotGranted)
        #expect(try await Self.reason(claim: claim, context: "v11") == .idNotGranted)
        #expect(try await Self.reason(claim: claim, context: "V1") == .idNotGranted)
    }

    @Test(
        arguments: [
            // Wildcards and patterns
            #""*""#, #"["*"]"#, #"["v1","*"]"#, #""v*""#, #""**""#, #"" *""#, #""%2A""#, #""%252A""#, #""%761""#,
            #""\uFF0A""#,
            #""*\uFE0F""#, #""\u2217""#, #""+""#, #"".*""#, #""[a-z0-9]*""#, #""v?""#, #""any""#,
            // Nothing
            #""""#, #"" ""#, "[]", #"[""]"#, #"["v1",""]"#, "null", "{}", "[null]", "[[]]",
            // Templates, JSON text and other types
            #""\",\"vehicleid\":\"*""#, #""{{claims.sub}}""#, #""{claims.sub}""#, #""}}""#, #""v1\n""#, #""v1\nv1""#,
            #""v1,v2""#, #""v1 v2""#, #""[\"v1\"]""#, #""$(id)""#, "1", "1.5", "-0", "true", "false",
            #"{"id":"v1"}"#, #"{"0":"v1"}"#, #"[["v1"]]"#, #"[{"id":"v1"}]"#, #"["v1",1]"#, #"["v1",null]"#,
            #"["v1",["v1"]]"#, #"["v1",true]"#,
            // Paths
            #""a/v1""#, #""../v1""#, #""v1/..""#, #""..""#, #"".""#, #""./v1""#, #""a%2fv1""#, #""v1\u0000""#,
            #""v1;""#,
            #""v1?""#, #""v1#""#, #""//v1""#, #""a:v1""#, #""a\\v1""#, #"["v1","a/b"]"#, #"["v1",".."]"#,
        ]
    )
    func `A claim that is neither an ID nor a list of IDs grants no access`(claim: String) async throws {
        #expect(try await Self.reason(claim: claim, context: "v1") == .idNotGranted)
    }

    @Test
    func `An empty rule grants no access`() async throws {
        let caller = try Samples.caller(claims: #"{"":"v1"}"#)
        for grant in [
            GrantConfiguration.sample(callers: [], ids: .any), .sample(kinds: [], ids: .any), .sample(ids: .list([])),
            .sample(ids: .claim(path: [])), .sample(ids: .webhook(name: "")), .sample(callers: [""], ids: .any),
        ] {
            #expect(try await Samples.authorizer(grant).refusal(caller, try .vehicle("v1")) != nil)
        }
    }

    @Test(arguments: ["{}", #"{"VEHICLE_ID":"v1"}"#, #"{"vehicle":{"id":"v1"}}"#])
    func `A missing claim grants no access`(claims: String) async throws {
        let authorizer = try Samples.authorizer(.sample(ids: .claim(path: ["vehicle_id"])))
        #expect(try await authorizer.refusal(try Samples.caller(claims: claims), try .vehicle("v1")) == .idNotGranted)
    }

    @Test
    func `A number or literal in a claim is not converted to an ID`() async throws {
        #expect(try await Self.reason(claim: "1", context: "1") == .idNotGranted)
        #expect(try await Self.reason(claim: "[1]", context: "1") == .idNotGranted)
        #expect(try await Self.reason(claim: "1.5", context: "1.5") == .idNotGranted)
        #expect(try await Self.reason(claim: "true", context: "true") == .idNotGranted)
        #expect(try await Self.reason(claim: "null", context: "null") == .idNotGranted)
        #expect(try await Self.reason(claim: #""null""#, context: "null") == nil)
        #expect(try await Self.reason(claim: #""1""#, context: "1") == nil)
    }

    @Test(
        arguments: [
            #""\u03BD1""#, #""v1 ""#, #"" v1""#, #""V1""#, #""v1\u202E""#, #""v1\u200D""#, #""\uFEFFv1""#,
            #""v\uDB40\uDC611""#, #""v1\u0301""#, #""\uFF561""#, #""v\uFF11""#, #""v\u0661""#, #""v1\u0378""#,
            #""v\u20111""#, #""v1\uD83D\uDE00""#,
        ]
    )
    func `A look-alike or invisible character in a claim grants no access`(claim: String) async throws {
        let authorizer = try Samples.authorizer(.sample(ids: .claim(path: ["id"])))
        let caller = try Samples.caller(claims: #"{"id":\#(claim)}"#)
        #expect(try await authorizer.refusal(caller, try .vehicle("v1")) == .idNotGranted)
    }

    @Test
    func `IDs are compared by bytes, not by Swift's String equality`() async throws {
        let composed = "caf\u{E9}"
        let authorizer = try Samples.authorizer(.sample(ids: .claim(path: ["id"])))
        let scope = try TokenScope.vehicle(composed)
        let same = try Samples.caller(claims: #"{"id":"caf\u00E9"}"#)
        let decomposed = try Samples.caller(claims: #"{"id":"cafe\u0301"}"#)
        #expect(try await authorizer.refusal(same, scope) == nil)
        #expect(try await authorizer.refusal(decomposed, scope) == .idNotGranted)
    }

    @Test
    func `Conditions and claim names are compared by bytes`() async throws {
        let condition = ClaimCondition(path: ["r\u{F4}le"], value: .string("caf\u{E9}"))
        let authorizer = try Samples.authorizer(.sample(conditions: [condition], ids: .any))
        let scope = try TokenScope.vehicle("v1")
        let claims = #"{"r\u00F4le":"caf\u00E9"}"#
        #expect(try await authorizer.refusal(try Samples.caller(claims: claims), scope) == nil)
        for claims in [
            #"{"ro\u0302le":"caf\u00E9"}"#, #"{"r\u00F4le":"cafe\u0301"}"#, #"{"r\u00F4le":["cafe\u0301"]}"#,
        ] {
            #expect(try await authorizer.refusal(try Samples.caller(claims: claims), scope) == .kindNotGranted)
        }
    }

    @Test(arguments: [(64, true), (65, false), (5000, false)])
    func `A claim may be as long as an ID, and no longer`(length: Int, isAllowed: Bool) async throws {
        let long = String(repeating: "a", count: length)
        let claim = #"["v1","\#(long)"]"#
        #expect(try await Self.reason(claim: claim, context: "v1") == (isAllowed ? nil : .idNotGranted))
        let zalgo = #"["v1","a\#(String(repeating: #"\u0301"#, count: length))"]"#
        #expect(try await Self.reason(claim: zalgo, context: "v1") == .idNotGranted)
    }

    @Test
    func `A path selects a nested claim`() async throws {
        let authorizer = try Samples.authorizer(.sample(ids: .claim(path: ["fleet", "vehicle", "id"])))
        let scope = try TokenScope.vehicle("v1")
        let nested = try Samples.caller(claims: #"{"fleet":{"vehicle":{"id":["v1"]}}}"#)
        #expect(try await authorizer.refusal(nested, scope) == nil)
        for claims in [
            #"{"fleet":{"vehicle":"v1"}}"#, #"{"fleet":[{"vehicle":{"id":"v1"}}]}"#, #"{"fleet.vehicle.id":"v1"}"#,
            #"{"fleet":{"vehicle":{"id":{"v1":"v1"}}}}"#,
        ] {
            #expect(try await authorizer.refusal(try Samples.caller(claims: claims), scope) == .idNotGranted)
        }
    }
}
