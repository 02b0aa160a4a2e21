import FleetToken
import Testing

@testable import ServiceSupport
@testable import TokenIssuance

@Suite struct WebhookSignatureTests {
    private static let secret = "0123456789abcdef0123456789abcdef"
    private static let body = Array(#"{"kind":"driver","ids":["v1"]}"#.utf8)

    /// The same vector is in the tests of the sample receiver; the digits come from `openssl dgst -sha256 -hmac`.
    @Test
    func `Timestamp and body are signed`() {
        let signature = WebhookSignature(secret: Secret(Self.secret))
        let fields = signature.fields(for: Self.body, at: NumericDate(seconds: 1_795_211_460))
        #expect(fields.map(\.name) == ["Fleet-Token-Timestamp", "Fleet-Token-Signature"])
        let digits = "326e30ebef8f38abb2395867ee7c422900fa994a2a20ec7919e9a6a084ddc55b"
        #expect(fields.map(\.value) == ["1795211460", "v1=\(digits)"])
    }

    @Test
    func `The signature depends on secret, time and body`() {
        func signature(secret: String = Self.secret, _ body: [UInt8], at time: Int64) -> String? {
            WebhookSignature(secret: Secret(secret)).fields(for: body, at: NumericDate(seconds: time)).last?.value
        }
        let values = [
            signature(Self.body, at: 1), signature(secret: Self.secret + "0", Self.body, at: 1),
            signature(Self.body + [0x20], at: 1), signature(Self.body, at: 2),
            // The dot keeps the end of the time apart from the beginning of the body.
            signature(Array("1.".utf8), at: 1), signature(Array(".".utf8), at: 11),
        ]
        #expect(Set(values).count == values.count)
    }

    @Test
    func `A signer does not describe its secret`() {
        let signature = WebhookSignature(secret: Secret(Self.secret))
        var dumped = ""
        dump(signature, to: &dumped)
        #expect(!"\(signature)\(dumped)".contains(Self.secret))
    }
}
