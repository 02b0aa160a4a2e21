import FleetToken
import HTTPTypes
import Logging
import TestSupport
import TestTools
import Testing

@testable import ServiceSupport
@testable import TokenIssuance

/// A whole request: fields in, a caller or a refusal out.
@Suite(.watchdog)
struct CallerAuthenticatorTests {
    private let scene: AuthenticationScene
    private let key = TestAPIKey.key

    init() throws {
        scene = try AuthenticationScene()
    }

    @Test(
        arguments: [HTTPFields([.init(name: .apiKey, value: "secret")]), [.authorization: "Bearer secret"]]
    )
    func `A credential does not describe its secret`(fields: HTTPFields) throws {
        let credential = try #require(try Credential.presented(in: fields))
        var dumped = ""
        dump(credential, to: &dumped)
        let bytes = "\(Array("secret".utf8))"
        for text in ["\(credential)", String(reflecting: credential), dumped] {
            #expect(!text.contains("secret") && !text.contains(bytes.dropFirst().dropLast()))
        }
    }

    @Test
    func `A request without credentials is told to authenticate`() async throws {
        let outcome = await scene.send([:])
        #expect(outcome.error?.reason == .unauthenticated)
        #expect(outcome.reason == "no_credentials")
        // A cookie or a proxy's field is no credential.
        let others: HTTPFields = [.cookie: "session=1", .proxyAuthorization: "Bearer x"]
        #expect(await scene.send(others).error?.reason == .unauthenticated)
    }

    @Test(
        arguments: [
            "Basic dXNlcjpwYXNzd29yZA==", "Digest username=x", "Negotiate YII=", "DPoP eyJ", "bearer", "Bearer",
            "Bearer ",
            "Bearer  ",
            "Bearertoken", "Token abc", "", "Bearer a b", "Bearer a,b", "Bearer a, Bearer b", "Bearer \"a\"",
            "Bearer \u{E9}",
            "\u{212A}earer x", "Bearer\ta", "Bearer {}", "apikey x",
        ]
    )
    func `Another scheme or a malformed Authorization field is refused`(_ field: String) async throws {
        let outcome = await scene.send([.authorization: field])
        if outcome.reason == "unsupported_scheme" {
            // RFC 6750 section 3.1: no error for whoever didn't know how to ask.
            #expect(outcome.error?.reason == .unauthenticated)
        } else {
            #expect(outcome.isRefused(.malformedCredentials))
        }
    }

    @Test
    func `A JWT in X-API-Key is refused`() async throws {
        #expect(await scene.send([.apiKey: try scene.token()]).isRefused(.malformedAPIKey))
    }

    @Test
    func `Two credentials are refused with 400, without a fetch of keys`() async throws {
        let token = try scene.token()
        var twice = HTTPFields()
        twice.append(HTTPField(name: .authorization, value: "Bearer \(token)"))
        twice.append(HTTPField(name: .authorization, value: "Bearer \(token)"))
        var mixed = HTTPFields()
        mixed.append(HTTPField(name: .authorization, value: "Bearer \(token)"))
        mixed.append(HTTPField(name: .authorization, value: "Basic x"))
        var keys = HTTPFields()
        keys.append(HTTPField(name: .apiKey, value: key))
        keys.append(HTTPField(name: .apiKey, value: key))
        let both: HTTPFields = [.authorization: "Bearer \(token)", .apiKey: key]
        for fields in [twice, mixed, keys, both] {
            let outcome = await scene.send(fields)
            #expect(outcome.error?.reason == .multipleCredentials)
            #expect(outcome.error?.reason.code == 400)
        }
        #expect(scene.issuer.requests == 0)
    }

    @Test
    func `Every authentication failure gets the same response, whatever its cause`() async throws {
        let unknownKey = key.prefix(17) + String(repeating: "x", count: 43)
        let spoiled: [String] = [
            try scene.token { $0.claims["aud"] = .string("other-audience") },
            try scene.token { $0.claims["iss"] = .string("https://other-issuer.example") },
            try scene.token { $0.claims["exp"] = .integer(1) },
            try scene.token { $0.claims["sub"] = .string("") },
            try scene.token { $0.header["kid"] = .string("unknown-kid") },
            try scene.token { $0.header["alg"] = .string("HS256") },
            try scene.token().dropLast(8) + "AAAAAAAA",
            String(unknownKey), "nonsense",
        ]
        var errors: Set<TokenError> = []
        for credential in spoiled {
            let outcome = await scene.present(credential)
            let error = try #require(outcome.error)
            errors.insert(error)
            #expect(error.reason.code == 401)
            #expect(error.reason == .invalidCredentials)
            #expect(error.retryAfter == nil)
            #expect(outcome.reason != nil)
        }
        #expect(errors.count == 1)
        #expect(Set(scene.log.lines.compactMap { $0.metadata["reason"] }).count == spoiled.count)
    }

    @Test
    func `The log names the cause of an authentication failure, and no value of the credential`() async throws {
        let marks = ["secret-sub", "secret-claim", "secret-kid", "secret-iss", "secret-aud"]
        let tokens = [
            try scene.token { recipe in
                recipe.claims["sub"] = .string("secret-sub")
                recipe.claims["name"] = .string("secret-claim")
                recipe.header["kid"] = .string("secret-kid")
            },
            try scene.token { $0.claims["iss"] = .string("secret-iss") },
            try scene.token { $0.claims["aud"] = .string("secret-aud") },
            try scene.token { $0.claims["sub"] = .string("secret-sub\r\nforged: line") },
        ]
        for token in tokens { _ = await scene.present(token) }
        _ = await scene.present(key)
        _ = await scene.present(key.prefix(17) + String(repeating: "x", count: 43))
        scene.issuer.respond(with: .status(500))
        scene.clock.advance(by: 100_000)
        _ = await scene.present(try scene.token())
        let log = scene.log.lines.map(\.text).joined(separator: "\n")
        #expect(log.contains("reason=wrong_audience"))
        #expect(log.contains("reason=keys_unavailable"))
        for mark in marks + ["eyJ", "ftk_", String(key.suffix(43)), "forged"] {
            #expect(!log.contains(mark))
        }
    }

    /// Not one of the eight characters that follow each other anywhere in the key.
    @Test(
        arguments: [
            "\(TestAPIKey.key)x", String(TestAPIKey.key.dropLast()), "\(TestAPIKey.key.dropLast())t",
            "\(TestAPIKey.key.prefix(17))\(String(repeating: "x", count: 43))",
            "ftk_unknownkey01_\(String(repeating: "y", count: 43))",
        ],
        [HTTPField.Name.apiKey, .authorization]
    )
    func `The log of a refused API key has no part of the key`(key: String, field: HTTPField.Name) async throws {
        let outcome = await scene.send([field: field == .authorization ? "Bearer \(key)" : key])
        #expect(outcome.isRefused(.unknownAPIKey) || outcome.isRefused(.malformedAPIKey))
        let line = try #require(scene.log.lines.last)
        #expect(line.metadata["claim"] == nil)
        let parts = key.utf8.indices.map { key.utf8[$0...].prefix(8) }.filter { $0.count == 8 }
        #expect(!parts.contains { line.text.utf8.firstRange(of: $0) != nil })
    }

    @Test
    func `Each failure has its error`() {
        for code in AuthenticationFailure.Code.allCases {
            let refusal = AuthenticationFailure(code).refusal
            let reason = refusal.reason
            switch code {
            case .noCredentials, .unsupportedScheme: #expect(reason == .unauthenticated)
            case .multipleCredentials: #expect(reason == .multipleCredentials)
            case .keysUnavailable: #expect(reason == .authenticationUnavailable)
            default: #expect(reason == .invalidCredentials)
            }
        }
    }
}
