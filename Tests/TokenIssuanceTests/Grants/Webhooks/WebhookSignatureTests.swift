import FleetToken
import Testing

@testable import ServiceSupport
@testable import TokenIssuance

@Suite struct WebhookSignatureTests {
    private static let secret = "0123456789abcdef0123456789abcdef"
    private static let body = Array(#"{"kind":"driver","ids":["v1"]}"#.utf8)

    /// The same vector is in the tests of the sample receiver; the digits come from `openssl dgst -sha256 -hmac`.
    @Test(
        arguments: ["", "\n", "\r\n", "\n\n"]
    )
    func `Timestamp and body are signed; line breaks after the secret are ignored`(lineBreak: String) throws {
        let signature = try WebhookSignature(secret: Secret(Self.secret + lineBreak))
        let fields = signature.fields(for: Self.body, at: NumericDate(seconds: 1_795_211_460))
        #expect(fields.map(\.name) == ["Fleet-Token-Timestamp", "Fleet-Token-Signature"])
        let digits = "326e30ebef8f38abb2395867ee7c422900fa994a2a20ec7919e9a6a084ddc55b"
        #expect(fields.map(\.value) == ["1795211460", "v1=\(digits)"])
    }

    @Test
    func `The signature depends on secret, time and body`() throws {
        func signature(_ secret: String, _ body: [UInt8], _ time: Int64) throws -> String? {
            try WebhookSignature(secret: Secret(secret)).fields(for: body, at: NumericDate(seconds: time)).last?.value
        }
        let values = [
            try signature(Self.secret, Self.body, 1), try signature(Self.secret + "0", Self.body, 1),
            try signature(Self.secret, Self.body + [0x20], 1), try signature(Self.secret, Self.body, 2),
            // The dot keeps the end of the time apart from the beginning of the body.
            try signature(Self.secret, Array("1.".utf8), 1), try signature(Self.secret, Array(".".utf8), 11),
        ]
        #expect(Set(values).count == values.count)
    }

    @Test(
        arguments: ["", "\n", "0123456789abcdef0123456789abcde", "0123456789abcdef0123456789abcde\n\n\n"]
    )
    func `A secret of less than 32 bytes is refused`(secret: String) throws {
        let error = try #require(throws: ConfigurationError.self) { try WebhookSignature(secret: Secret(secret)) }
        #expect(error.description.contains("at least 32 bytes"))
        #expect(!error.description.contains("0123456789"))
    }

    @Test
    func `A signer does not describe its secret`() throws {
        let signature = try WebhookSignature(secret: Secret(Self.secret))
        var dumped = ""
        dump(signature, to: &dumped)
        #expect(!"\(signature)\(dumped)".contains(Self.secret))
    }
}
