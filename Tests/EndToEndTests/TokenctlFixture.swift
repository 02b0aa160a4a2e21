import FleetToken
import Foundation
import JOSE
import StrictCoding
import TestSupport

/// The real `tokenctl` in a folder of its own, with a service account and tokens that it signed.
struct TokenctlFixture {
    static let key = Result { try RSAPrivateKey.generate() }
    static let keyID = "key-1"

    /// 2026-11-20 22:48:10 UTC, when the tokens were minted.
    static let now: Int64 = 1_795_214_890

    let directory: String
    let key: RSAPrivateKey

    /// Makes a folder that is gone afterwards.
    static func run(_ body: (TokenctlFixture) async throws -> Void) async throws {
        let key = try key.get()
        try await withTemporaryDirectory { directory in
            let fixture = TokenctlFixture(directory: directory, key: key)
            try fixture.write(try fixture.account(), to: "account.json")
            try await body(fixture)
        }
    }

    /// Runs `tokenctl`.
    func tokenctl(
        _ arguments: String...,
        input: String = "",
        output: CommandRunner.Output = .captured
    ) async throws -> CommandRunner.Outcome {
        try await CommandRunner("tokenctl", in: directory).run(arguments, input: Array(input.utf8), output: output)
    }

    /// Runs a line of shell in which `tokenctl` is what was built.
    func shell(_ line: String, input: String = "") async throws -> CommandRunner.Outcome {
        try await CommandRunner(path: "/bin/sh", in: directory).run(
            ["-c", line],
            input: Array(input.utf8),
            environment: ["PATH": "\(CommandRunner.products.path):/usr/bin:/bin"]
        )
    }

    func path(_ name: String) -> URL {
        URL(fileURLWithPath: directory).appendingPathComponent(name)
    }

    func write(_ bytes: [UInt8], to name: String) throws {
        try Data(bytes).write(to: path(name))
    }

    func permissions(of name: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path(name).path)[.posixPermissions] as? Int
    }

    /// The service account's JSON key.
    func account() throws -> [UInt8] {
        let pem = String(decoding: try key.pem(), as: UTF8.self)
        var writer = JSONWriter()
        writer.object { writer in
            writer.name("type")
            writer.string("service_account")
            writer.name("client_email")
            writer.string("a@b.example")
            writer.name("private_key_id")
            writer.string(Self.keyID)
            writer.name("private_key")
            writer.string(pem)
        }
        return writer.bytes
    }

    /// The key set that verifies what the account signs.
    func keySet() throws -> [UInt8] {
        var keys = JWKSet()
        try keys.insert(JWK(key.publicKey, keyID: Self.keyID))
        return keys.encoded()
    }

    /// A token that the account signed, good but for what is asked to be otherwise.
    func token(
        header: String = #"{"alg":"RS256","typ":"JWT","kid":"key-1"}"#,
        authorization: String = #"{"tripid":"trip-1"}"#,
        claims: String? = nil
    ) throws -> String {
        let claims =
            claims ?? """
                {"iss":"a@b.example","sub":"a@b.example","aud":"https://fleetengine.googleapis.com/",\
                "iat":\(Self.now - 60),"exp":\(Self.now + 3540),"authorization":\(authorization)}
                """
        let dot = [UInt8(ascii: ".")]
        let input = Base64URL.encode(Array(header.utf8)) + dot + Base64URL.encode(Array(claims.utf8))
        return String(decoding: input + dot + Base64URL.encode(try key.signature(for: input)), as: UTF8.self)
    }
}
