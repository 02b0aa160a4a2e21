import FleetToken
import JOSE
import StrictCoding
import TestSupport
import TestTraits
import Testing

@testable import TokenIssuance

/// Tokens in another form than the one that each token has: all of them signed by the issuer itself.
@Suite(.watchdog, .authenticationScene)
struct JWTFormTests {
    private let scene = AuthenticationScene.ofTest

    @Test(
        "An ambiguous header is rejected",
        .tags(.j15),
        arguments: [
            #"{"alg":"ES256","alg":"none","kid":"key-ES256"}"#, #"{"alg":"none","alg":"ES256","kid":"key-ES256"}"#,
            #"{"alg":"ES256","kid":"key-RS256","kid":"key-ES256"}"#,
            #"{"alg":"ES256","kid":"key-ES256","\u0061lg":"none"}"#,
            #"{"alg":"ES256","kid":"key-ES256"} x"#, #"{"alg":"ES256","kid":"key-ES256",}"#, "[]", "", "null",
            "\u{FEFF}{\"alg\":\"ES256\",\"kid\":\"key-ES256\"}",
        ]
    )
    func headerHasOneReading(_ header: String) async throws {
        let payload = try decode(try scene.token(), part: 1)
        let token = try SigningKey.shared(.es256).token(header: Array(header.utf8), payload: payload)
        #expect(await scene.present(token).isRefused(.malformedToken))
    }

    @Test("A duplicate claim is rejected", .tags(.j15), arguments: ["iss", "sub", "aud", "exp", "iat", "role"])
    func claimsAreThereOnce(_ name: String) async throws {
        let good = try scene.token { $0.claims["role"] = .string("driver") }
        let header = try decode(good, part: 0)
        let payload = try decode(good, part: 1)
        let key = try SigningKey.shared(.es256)
        #expect(await scene.present(try key.token(header: header, payload: payload)).caller != nil)
        for value in [#""x""#, "1", "null"] {
            let before = Array("{\"\(name)\":\(value),".utf8) + payload.dropFirst()
            let after = payload.dropLast() + Array(",\"\(name)\":\(value)}".utf8)
            for payload in [before, Array(after)] {
                let token = try key.token(header: header, payload: payload)
                #expect(await scene.present(token).isRefused(.malformedClaims))
            }
        }
    }

    @Test(
        "A payload that is not a JSON object is rejected",
        .tags(.j15),
        arguments: ["{}", "[]", "\"x\"", "null", "", "x", "{\"iss\":\"\u{0}\"}", "{\"iss\":\"\\ud800\"}"]
    )
    func payloadIsAnObject(_ payload: String) async throws {
        let header = try decode(try scene.token(), part: 0)
        let token = try SigningKey.shared(.es256).token(header: header, payload: Array(payload.utf8))
        #expect(await scene.present(token).isRefused(.malformedClaims))
    }

    @Test("A header or payload in another base64url spelling is rejected", .tags(.j15), arguments: [0, 1])
    func base64HasOneSpelling(_ part: Int) async throws {
        let key = try SigningKey.shared(.es256)
        // The byte 0xFB in a string makes - and _ appear in base64url, in whatever position.
        let token = try scene.token {
            $0.claims["name"] = .string("\u{FB}\u{FF}~~~???>>>")
            $0.header["cty"] = .string("???>>>~~~")
        }
        let parts = token.split(separator: ".").map(String.init)
        let spellings: [(String) -> String] = [
            { $0 + "=" }, { $0 + "==" }, { $0 + "A" }, { $0 + "\n" }, { " " + $0 },
            { $0.replacing("-", with: "+") },
            { $0.replacing("_", with: "/") }, { "." + $0 }, { $0 + "%3D" },
        ]
        for spelling in spellings where spelling(parts[part]) != parts[part] {
            var changed = parts
            changed[part] = spelling(parts[part])
            let message = "\(changed[0]).\(changed[1])"
            let signature = Base64URL.encode(try key.signature(over: Array(message.utf8)))
            let refusal = await scene.refusal(of: message + "." + String(decoding: signature, as: UTF8.self))
            // A character more may still be base64url, and then what it spells is no JSON.
            #expect(refusal == .malformedToken || refusal == .malformedClaims)
        }
    }

    @Test("A signature in another base64url spelling is rejected", .tags(.j15), arguments: JWSAlgorithm.allCases)
    func signatureHasOneSpelling(_ algorithm: JWSAlgorithm) async throws {
        try await AuthenticationScene.run(algorithms: JWSAlgorithm.allCases) { scene async throws in
            let token = try scene.token(algorithm)
            for suffix in ["=", "==", ".", "\n", " ", "\u{0}"] {
                #expect(await scene.refusal(of: token + suffix) == .malformedToken)
            }
            // The last character of a signature of 64 or 256 bytes carries bits of no byte; they must be zero.
            let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
            for character in alphabet where character != token.last {
                #expect(await scene.refusal(of: token.dropLast() + String(character)) != nil)
            }
            #expect(await scene.refusal(of: token) == nil)
        }
    }

    @Test("A malformed or oversized token is rejected and causes no fetch", .tags(.j14))
    func tokensThatAreNoTokensCostNothing() async throws {
        let digits = String(repeating: "9", count: 12_000)
        let nested = String(repeating: "[", count: 10_000)
        let key = try SigningKey.shared(.es256)
        let header = try decode(try scene.token(), part: 0)
        let texts = [
            String(repeating: ".", count: 1_000_000), String(repeating: "a", count: 1_000_000), ".", "..", "...",
            "....",
            "a.b.c.d.e", String(repeating: "a.", count: 8000), "eyJ.eyJ.eyJ", "", "a",
            try key.token(header: header, payload: Array("{\"exp\":\(digits)}".utf8)),
            try key.token(header: header, payload: Array("{\"exp\":1e\(digits)}".utf8)),
            try key.token(header: header, payload: Array(nested.utf8)),
            try key.token(header: Array(nested.utf8), payload: Array("{}".utf8)),
            try key.token(header: header, payload: Array(repeating: 0x20, count: 100_000)),
            try key.token(
                header: header,
                payload: Array("{\"a\":\"\(String(repeating: "\\u0041", count: 1900))\"}".utf8)
            ),
        ]
        for text in texts {
            let outcome = await scene.present(text)
            #expect(outcome.error?.reason == .invalidCredentials)
        }
        #expect(scene.issuer.requests == 0)
    }

    @Test("A token of 16 KiB is accepted, and one of a byte more rejected", .tags(.j14))
    func sizeOfATokenIsLimited() async throws {
        // Base64url has no text of 4n + 1 characters, so the header decides which sizes there are.
        for header in ["", "x", "xx"] {
            let tokens = try (11_900..<12_200).map { padding in
                try scene.token {
                    $0.header["cty"] = .string(header)
                    $0.claims["pad"] = .string(String(repeating: "x", count: padding))
                }
            }
            guard let longest = tokens.first(where: { $0.utf8.count == 16_384 }),
                let longer = tokens.first(where: { $0.utf8.count == 16_385 })
            else { continue }
            #expect(await scene.present(longest).caller != nil)
            #expect(await scene.present(longer).isRefused(.malformedToken))
            return
        }
        Issue.record("No header gives both sizes.")
    }

    @Test("Claims of 512 values are accepted, and those of one more rejected", .tags(.j14))
    func numberOfValuesIsLimited() async throws {
        // The object, its six members, and what is in the list.
        for (groups, isAccepted) in [(512 - 7, true), (513 - 7, false)] {
            let outcome = await scene.present(
                try scene.token { $0.claims["groups"] = .array(Array(repeating: .integer(1), count: groups)) }
            )
            #expect((outcome.caller != nil) == isAccepted)
            #expect(isAccepted || outcome.isRefused(.malformedClaims))
        }
    }

    private func decode(_ token: String, part: Int) throws -> [UInt8] {
        try Base64URL.decode(Array(token.split(separator: ".")[part].utf8))
    }
}
