import FleetToken
import Foundation
import JOSE
import StrictCoding
import TestSupport
import TestTraits
import Testing

@testable import TokenIssuance

@Suite(.watchdog)
struct JWTAcceptanceTests {
    @Test("A valid token of each algorithm authenticates its caller", arguments: JWSAlgorithm.allCases)
    func goodTokensOfEveryAlgorithmAreTaken(_ algorithm: JWSAlgorithm) async throws {
        try await AuthenticationScene.run(algorithms: [algorithm]) { scene async throws in
            let outcome = await scene.present(try scene.token(algorithm) { $0.claims["role"] = .string("driver") })
            let caller = try #require(outcome.caller)
            #expect(caller.method == .jwt)
            #expect(caller.name == "app")
            #expect(caller.subject == "user-1")
            #expect(caller.claims["role"] == .string("driver"))
            #expect(caller.isApp)
            #expect(scene.issuer.requests == 1)
        }
    }

    @Test("A key that names its algorithm verifies the same tokens", arguments: JWSAlgorithm.allCases)
    func keysThatSayTheirAlgorithmWorkTheSame(_ algorithm: JWSAlgorithm) async throws {
        try await AuthenticationScene.run(algorithms: JWSAlgorithm.allCases) { scene async throws in
            try scene.issuer.publish(JWSAlgorithm.allCases.map(SigningKey.shared), withAlgorithms: true)
            #expect(await scene.present(try scene.token(algorithm)).caller != nil)
        }
    }

    @Test(
        "An unusual algorithm is accepted only where it is configured",
        arguments: JWSAlgorithm.allCases.filter { !JWSAlgorithm.usual.contains($0) }
    )
    func algorithmsThatAreNotUsualAreTakenWhereTheyAreNamedOnly(_ algorithm: JWSAlgorithm) async throws {
        try await AuthenticationScene.run { scene async throws in
            #expect(await scene.present(try scene.token(algorithm)).isRefused(.wrongAlgorithm))
        }
        try await AuthenticationScene.run(algorithms: [.rs256, algorithm]) { scene async throws in
            #expect(await scene.present(try scene.token(algorithm)).caller != nil)
            #expect(await scene.present(try scene.token(.rs256)).caller != nil)
            #expect(await scene.present(try scene.token(.ps256)).isRefused(.wrongAlgorithm))
        }
    }

    /// The signatures that the standards print: RFC 7515 A.2 and A.3, RFC 8037 A.4.
    @Test("The signatures that the standards print are valid", arguments: PublishedSignature.all)
    func publishedSignaturesVerify(_ example: PublishedSignature) throws {
        let jwk = try JSONParser.parseObject(Array(example.jwk.utf8))
        let key = try #require(try VerificationKey(parsing: jwk))
        let dot = try #require(example.token.lastIndex(of: "."))
        let message = Array(example.token[..<dot].utf8)
        let signature = try Base64URL.decode(Array(example.token[example.token.index(after: dot)...].utf8))
        #expect(key.isValidSignature(signature, of: message, by: example.algorithm))
        var other = message
        other[0] ^= 1
        #expect(!key.isValidSignature(signature, of: other, by: example.algorithm))
        for algorithm in JWSAlgorithm.allCases where algorithm != example.algorithm {
            #expect(!key.isValidSignature(signature, of: message, by: algorithm))
        }
    }

    @Test("The first caller whose conditions a token meets is its caller")
    func theFirstCallerThatFitsIsTheCaller() async throws {
        try await AuthenticationScene.run { issuer in
            ["one", "two", "rest"].map { name in
                var configuration = AuthenticationScene.configuration(of: issuer)
                if name != "rest" {
                    configuration.requiredClaims = [ClaimCondition(path: ["client"], value: .string(name))]
                }
                return CallerConfiguration(name: name, method: .jwt(configuration), isApp: name == "rest")
            }
        } _: { scene async throws in
            for (client, name) in [("one", "one"), ("two", "two"), ("three", "rest")] {
                let outcome = await scene.present(try scene.token { $0.claims["client"] = .string(client) })
                #expect(outcome.caller?.name == name)
                #expect(outcome.caller?.isApp == (name == "rest"))
            }
        }
    }

    @Test("Required claims are compared byte by byte and by type")
    func requiredClaimsAreComparedByteByByteAndByType() async throws {
        try await AuthenticationScene.run { issuer in
            var configuration = AuthenticationScene.configuration(of: issuer)
            configuration.requiredClaims = [
                ClaimCondition(path: ["app", "roles"], value: .string("K-driver")),
                ClaimCondition(path: ["email_verified"], value: .bool(true)),
            ]
            return [CallerConfiguration(name: "app", method: .jwt(configuration), isApp: true)]
        } _: { scene async throws in
            func outcome(_ roles: JSONValue, _ isVerified: JSONValue) async throws -> AuthenticationOutcome {
                var app = JSONObject()
                _ = app.append(.init("roles", roles))
                return await scene.present(
                    try scene.token {
                        $0.claims["app"] = .object(app)
                        $0.claims["email_verified"] = isVerified
                    }
                )
            }
            #expect(try await outcome(.string("K-driver"), .bool(true)).caller != nil)
            #expect(try await outcome(.array([.string("x"), .string("K-driver")]), .bool(true)).caller != nil)
            #expect(try await outcome(.string("\u{212A}-driver"), .bool(true)).isRefused(.claimMismatch))
            #expect(try await outcome(.string("K-driver "), .bool(true)).isRefused(.claimMismatch))
            #expect(try await outcome(.array([]), .bool(true)).isRefused(.claimMismatch))
            #expect(try await outcome(.string("K-driver"), .string("true")).isRefused(.claimMismatch))
            #expect(try await outcome(.string("K-driver"), .integer(1)).isRefused(.claimMismatch))
            let bare = await scene.present(try scene.token { $0.claims["app"] = .string("K-driver") })
            #expect(bare.isRefused(.claimMismatch))
        }
    }
}

/// A signature that a standard prints.
struct PublishedSignature: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let algorithm: JWSAlgorithm
    let jwk: String
    let token: String

    static let all = [
        PublishedSignature(
            testDescription: "RFC 7515 A.2",
            algorithm: .rs256,
            jwk: #"""
                {"kty":"RSA","e":"AQAB","n":"ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmfHQp-Vaw-4qPCJrcS2mJPMEzP1Pt0Bm4d4QlL-yRT-SFd2lZS-pCgNMsD1W_YpRPEwOWvG6b32690r2jZ47soMZo9wGzjb_7OMg0LOL-bSf63kpaSHSXndS5z5rexMdbBYUsLA9e-KXBdQOS-UTo7WTBEMa2R2CapHg665xsmtdVMTBQY4uDZlxvb3qCo5ZwKh9kG4LT6_I5IhlJH7aGhyxXFvUK-DWNmoudF8NAco9_h9iaGNj8q2ethFkMLs91kzk2PAcDTW9gb54h4FRWyuXpoQ"}
                """#,
            token:
                "eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ.cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_O8W2Fp5jujGbds9uJdbF9CUAr7t1dnZcAcQjbKBYNX4BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSjtQBMHlb1L07Qe7K0GarZRmB_eSN9383LcOLn6_dO--xi12jzDwusC-eOkHWEsqtFZESc6BfI7noOPqvhJ1phCnvWh6IeYI2w9QOYEUipUTI8np6LbgGY9Fs98rqVt5AXLIhWkWywlVmtVrBp0igcN_IoypGlUPQGe77Rw"
        ),
        PublishedSignature(
            testDescription: "RFC 7515 A.3",
            algorithm: .es256,
            jwk: #"""
                {"kty":"EC","crv":"P-256","x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU","y":"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"}
                """#,
            token:
                "eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ.DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q"
        ),
        PublishedSignature(
            testDescription: "RFC 8037 A.4",
            algorithm: .edDSA,
            jwk: #"{"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}"#,
            token:
                "eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc.hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg"
        ),
    ]
}
