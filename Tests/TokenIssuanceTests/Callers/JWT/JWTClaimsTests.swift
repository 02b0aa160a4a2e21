import FleetToken
import JOSE
import TestSupport
import TestTools
import Testing

@testable import TokenIssuance

/// Tokens that the issuer signed, and not for us or not for now.
@Suite(.watchdog)
struct JWTClaimsTests {
    private let scene: AuthenticationScene

    init() throws {
        scene = try AuthenticationScene()
    }

    // MARK: - Issuer

    @Test(
        arguments: [
            // Its signature is valid.
            (
                "iss", .unknownIssuer,
                [
                    "https://issuer.test/tenant/", "https://issuer.test", "https://ISSUER.test/tenant",
                    "http://issuer.test/tenant", "", " https://issuer.test/tenant",
                    "https://issuer.test/tenant\u{0}", "https://issuer.test/tena\u{6E}\u{303}t",
                    "https://issuer.test/other",
                ].map(JSONValue.string)
            ),
            ("iss", .missingClaim, [nil]), ("sub", .missingClaim, [nil]), ("aud", .missingClaim, [nil]),
            ("exp", .missingClaim, [nil]), ("sub", .malformedClaims, [.null, .string(""), .integer(1)]),
            ("iss", .malformedClaims, [.null, .integer(1), .array([.string("https://issuer.test/tenant")])]),
            (
                "aud", .malformedClaims,
                [
                    .null, .integer(1), .bool(true), .object(JSONObject()),
                    .array([.string("fleet-token"), .integer(1)]), .array([.array([.string("fleet-token")])]),
                ]
            ),
            (
                "aud", .wrongAudience,
                [
                    .array([]), .string(""), .string("other"), .string("Fleet-Token"), .string("fleet-token "),
                    .string("fleet-to\u{212A}en"), .string("fleet-token,other"), .array([.string("a"), .string("b")]),
                ]
            ),
            (
                "exp", .malformedClaims,
                [
                    .null, .decimal("1e400"), .decimal("-1.5"), .decimal("253402300800.5"),
                    .decimal("99999999999999999999"), .string("1800003600"), .integer(-1), .integer(.max),
                    .integer(.min), .integer(253_402_300_800), .bool(true), .array([.integer(1_800_003_600)]),
                ]
            ),
            (
                "exp", .expired,
                [
                    .integer(0), .integer(1_800_000_000 - 60), .decimal("1799999940.999"), .decimal("1.79999994e9"),
                    .decimal("1e9"), .decimal("0.5"), .decimal("1e-400"),
                ]
            ),
        ] as [(String, AuthenticationFailure.Code, [JSONValue?])]
    )
    func
        `A token whose issuer, audience or expiry is missing, malformed or another one is rejected, and nothing is fetched`(
            name: String,
            code: AuthenticationFailure.Code,
            values: [JSONValue?]
        ) async throws
    {
        for value in values {
            #expect(await scene.present(try scene.token { $0.claims[name] = value }).isRefused(code))
            let isNamed = code == .missingClaim || code == .malformedClaims
            #expect(scene.log.lines.last?.metadata["claim"] == (isNamed ? name : nil))
        }
        #expect(scene.issuer.requests == 0)
    }

    @Test
    func `Issuers and audiences are compared byte by byte`() async throws {
        let scene = try AuthenticationScene {
            $0.issuer = "https://K.test/caf\u{E9}"
            $0.audiences = ["K-fleet", "caf\u{E9}"]
        }
        func outcome(
            of issuer: String = "https://K.test/caf\u{E9}",
            for audience: String
        ) async throws -> AuthenticationOutcome {
            await scene.present(
                try scene.token {
                    $0.claims["iss"] = .string(issuer)
                    $0.claims["aud"] = .string(audience)
                }
            )
        }
        for audience in ["K-fleet", "caf\u{E9}"] { #expect(try await outcome(for: audience).caller != nil) }
        for audience in ["\u{212A}-fleet", "cafe\u{301}"] {
            #expect(try await outcome(for: audience).isRefused(.wrongAudience))
        }
        for issuer in ["https://K.test/cafe\u{301}", "https://\u{212A}.test/caf\u{E9}"] {
            #expect(try await outcome(of: issuer, for: "K-fleet").isRefused(.unknownIssuer))
        }
    }

    @Test
    func `An issuer's keys verify that issuer's tokens only`() async throws {
        var other = AuthenticationScene.configuration
        other.issuer = "https://other.test"
        other.keys = .url(KeySetURL(known: "https://other-keys.test/keys"))
        let scene = try AuthenticationScene(callers: [
            CallerConfiguration(
                name: "first",
                method: .jwt(AuthenticationScene.configuration),
                rateLimit: .perUser
            ),
            CallerConfiguration(name: "second", method: .jwt(other), rateLimit: .perUser),
        ])
        // Both have a key with this ID.
        let key = try SigningKey(id: "key-ES256", .es256)
        try scene.issuer.publish([key], at: "https://other-keys.test/keys")
        #expect(await scene.present(try scene.token(signedBy: key)).isRefused(.badSignature))
        let theirs = try scene.token(signedBy: key) { $0.claims["iss"] = .string("https://other.test") }
        #expect(await scene.present(theirs).caller?.name == "second")
        let ours = try scene.token { $0.claims["iss"] = .string("https://other.test") }
        #expect(await scene.present(ours).isRefused(.badSignature))
    }

    @Test
    func `A token of another Firebase project is rejected`() async throws {
        var configuration = JWTIssuerConfiguration.firebase(project: "our-project")
        configuration.keys = .url(KeySetURL(known: FakeIssuer.url))
        let scene = try AuthenticationScene(callers: [
            CallerConfiguration(name: "riders", method: .jwt(configuration), rateLimit: .perUser)
        ])
        // Google signs the tokens of all projects with the same keys.
        func present(_ change: (inout TokenRecipe) -> Void) async throws -> AuthenticationOutcome {
            await scene.present(
                try scene.token(.rs256) {
                    $0.claims["iss"] = .string("https://securetoken.google.com/our-project")
                    $0.claims["aud"] = .string("our-project")
                    $0.claims["auth_time"] = .integer(scene.clock.now.seconds - 100)
                    change(&$0)
                }
            )
        }
        #expect(try await present { _ in }.caller?.name == "riders")
        let theirIssuer = JSONValue.string("https://securetoken.google.com/their-project")
        #expect(try await present { $0.claims["iss"] = theirIssuer }.isRefused(.unknownIssuer))
        #expect(try await present { $0.claims["aud"] = .string("their-project") }.isRefused(.wrongAudience))
        #expect(
            try await present {
                $0.claims["iss"] = theirIssuer
                $0.claims["aud"] = .string("their-project")
            }.isRefused(.unknownIssuer)
        )
        #expect(try await present { $0.claims["sub"] = .string("") }.isRefused(.malformedClaims))
        #expect(try await present { $0.claims["sub"] = nil }.isRefused(.missingClaim))
        let later = JSONValue.integer(scene.clock.now.seconds + 61)
        #expect(try await present { $0.claims["auth_time"] = later }.isRefused(.notYetValid))
        #expect(try await present { $0.claims["auth_time"] = .string("x") }.isRefused(.malformedClaims))
        #expect(try await present { $0.header["typ"] = .string("at+jwt") }.isRefused(.wrongType))
        #expect(try await present { $0.header["alg"] = .string("PS256") }.isRefused(.wrongAlgorithm))
    }

    @Test
    func `A Google service account is known by its verified email address`() async throws {
        let email = "backend@project.iam.gserviceaccount.com"
        var configuration = JWTIssuerConfiguration.googleServiceAccount(email: email, audience: "https://fleet.test")
        configuration.keys = .url(KeySetURL(known: FakeIssuer.url))
        let scene = try AuthenticationScene(callers: [
            CallerConfiguration(name: "backend", method: .jwt(configuration), rateLimit: .perClient)
        ])
        func present(_ change: (inout TokenRecipe) -> Void) async throws -> AuthenticationOutcome {
            await scene.present(
                try scene.token(.rs256) {
                    $0.claims["iss"] = .string("https://accounts.google.com")
                    $0.claims["aud"] = .string("https://fleet.test")
                    $0.claims["sub"] = .string("112233445566778899")
                    $0.claims["email"] = .string(email)
                    $0.claims["email_verified"] = .bool(true)
                    change(&$0)
                }
            )
        }
        let caller = try #require(try await present { _ in }.caller)
        #expect(caller.name == "backend")
        #expect(caller.subject == "112233445566778899")
        #expect(caller.rateLimit == .perClient)
        let other = JSONValue.string("backend@other.iam.gserviceaccount.com")
        #expect(try await present { $0.claims["email"] = other }.isRefused(.claimMismatch))
        #expect(try await present { $0.claims["email"] = nil }.isRefused(.missingClaim))
        #expect(scene.log.lines.last?.metadata["claim"] == "email")
        #expect(scene.log.lines.last?.metadata["advice"]?.contains("format=full") == true)
        #expect(try await present { $0.claims["email_verified"] = .bool(false) }.isRefused(.claimMismatch))
        #expect(try await present { $0.claims["email_verified"] = .string("true") }.isRefused(.claimMismatch))
        #expect(try await present { $0.claims["email_verified"] = nil }.isRefused(.missingClaim))
    }

    // MARK: - Our own tokens, and other sorts

    @Test
    func `A token minted by this service is rejected as a credential`() async throws {
        // The issuer publishes the keys of the account that signs here.
        let key = try SigningKey.shared(.rs256)
        let header = Array(#"{"alg":"RS256","typ":"JWT","kid":"\#(key.id)"}"#.utf8)
        for name in [AuthenticationScene.ownAccount, AuthenticationScene.issuerName] {
            let claims = FleetClaims(
                issuer: name,
                scope: try TokenScope(kind: .consumer, id: "trip-1"),
                lifetime: .default,
                now: scene.clock.now
            )
            let minted = try key.token(header: header, payload: claims.encoded())
            #expect(await scene.present(minted).isRefused(.ownToken))
        }
        let both = try scene.token {
            $0.claims["aud"] = .array([.string(AuthenticationScene.audience), .string(FleetClaims.audience)])
        }
        #expect(await scene.present(both).isRefused(.ownToken))
        let ours = try scene.token { $0.claims["iss"] = .string(AuthenticationScene.ownAccount) }
        #expect(await scene.present(ours).isRefused(.ownToken))
        #expect(scene.issuer.requests == 0)
    }

    @Test(
        arguments: [
            (["at+jwt"], "at+jwt", true), (["at+jwt"], "AT+JWT", true), (["at+jwt"], "application/at+jwt", true),
            (["at+jwt"], "Application/At+Jwt", true), (["at+jwt"], "JWT", false), (["at+jwt"], nil, false),
            (["at+jwt"], "", false), (["at+jwt"], "application/application/at+jwt", false), (["jwt"], "JWT", true),
            (["jwt"], "at+jwt", false), (["jwt"], "jwt ", false), (["jwt", "at+jwt"], "at+jwt", true),
            (nil, "JWT", true),
            (nil, nil, true), (nil, "anything", true), (["k"], "\u{212A}", false),
        ] as [([String]?, String?, Bool)]
    )
    func `A token of another type than the issuer's configured ones is rejected`(
        types: [String]?,
        type: String?,
        isTaken: Bool
    ) async throws {
        let scene = try AuthenticationScene { $0.types = types }
        let outcome = await scene.present(try scene.token { $0.header["typ"] = type.map(JSONValue.string) })
        #expect((outcome.caller != nil) == isTaken)
        #expect(isTaken || outcome.isRefused(.wrongType))
    }

    // MARK: - Times

    @Test(arguments: ["nbf", "iat"])
    func `A token whose beginning is malformed or in the future is rejected`(_ name: String) async throws {
        func outcome(_ value: JSONValue?) async throws -> AuthenticationOutcome {
            await scene.present(try scene.token { $0.claims[name] = value })
        }
        let now = scene.clock.now.seconds
        #expect(try await outcome(nil).caller != nil)
        #expect(try await outcome(.integer(0)).caller != nil)
        #expect(try await outcome(.integer(now + 60)).caller != nil)
        #expect(try await outcome(.integer(now + 61)).isRefused(.notYetValid))
        #expect(try await outcome(.integer(253_402_300_799)).isRefused(.notYetValid))
        for value in [JSONValue.string("\(now)"), .decimal("1e400"), .null, .integer(.max), .integer(-1)] {
            #expect(try await outcome(value).isRefused(.malformedClaims))
        }
    }

    @Test
    func `A fraction of a second makes no token live longer`() async throws {
        let now = scene.clock.now.seconds
        func outcome(_ name: String, _ text: String) async throws -> AuthenticationOutcome {
            await scene.present(try scene.token { $0.claims[name] = .decimal(text) })
        }
        for name in ["nbf", "iat"] {
            for text in ["\(now).0", "\(now + 59).25", "\(now + 60).000", "1.8e9", "0.0", "1e9"] {
                #expect(try await outcome(name, text).caller != nil)
            }
            #expect(try await outcome(name, "\(now + 60).000000000000000000001").isRefused(.notYetValid))
        }
        for text in ["\(now - 59).0", "\(now - 59).999", "1.800003600E9", "18000036000e-1"] {
            #expect(try await outcome("exp", text).caller != nil)
        }
        #expect(try await outcome("exp", "\(now - 60).9999999999999999999").isRefused(.expired))
    }

    @Test(arguments: [JSONValue.string("2026-11-28T10:00:00Z"), .null, .integer(.max), .array([])])
    func `A claim that no setting uses decides nothing`(_ value: JSONValue) async throws {
        for name in ["auth_time", "email", "updated_at"] {
            #expect(await scene.present(try scene.token { $0.claims[name] = value }).caller != nil)
        }
    }

    @Test
    func `A token whose signature Cloud Run removed is rejected with the way out, and nothing is fetched`() async throws
    {
        let token = try scene.token()
        let removed = token.prefix(through: try #require(token.lastIndex(of: "."))) + "SIGNATURE_REMOVED_BY_GOOGLE"
        #expect(await scene.present(String(removed)).isRefused(.badSignature))
        #expect(scene.log.lines.last?.metadata["advice"]?.contains("X-Serverless-Authorization") == true)
        #expect(scene.issuer.requests == 0)
    }

    @Test
    func `A required claim may have a URL as its name, or be a member of an object`() async throws {
        let (url, member) = ("https://id.example.com/role", "fleet.city")
        let paths = [try #require(ClaimCondition.path(url.utf8)), try #require(ClaimCondition.path(member.utf8))]
        let scene = try AuthenticationScene {
            $0.requiredClaims = [
                ClaimCondition(path: paths[0], value: .string("driver")),
                ClaimCondition(path: paths[1], value: .string("b")),
            ]
        }
        let good = try scene.token {
            $0.claims["https://id.example.com/role"] = .string("driver")
            $0.claims["fleet"] = JSONValue(members: [("city", .string("b"))])
        }
        #expect(await scene.present(good).caller != nil)
        let other = try scene.token { $0.claims["https://id.example.com/role"] = .string("rider") }
        #expect(await scene.present(other).isRefused(.claimMismatch))
    }

    @Test
    func `A minute of leeway ends to the second`() async throws {
        let now = scene.clock.now.seconds
        func outcome(_ name: String, _ time: Int64) async throws -> AuthenticationOutcome {
            await scene.present(try scene.token { $0.claims[name] = .integer(time) })
        }
        #expect(try await outcome("exp", now - 59).caller != nil)
        #expect(try await outcome("exp", now - 60).isRefused(.expired))
        #expect(try await outcome("nbf", now + 60).caller != nil)
        #expect(try await outcome("nbf", now + 61).isRefused(.notYetValid))
        #expect(try await outcome("iat", now + 61).isRefused(.notYetValid))
    }
}
