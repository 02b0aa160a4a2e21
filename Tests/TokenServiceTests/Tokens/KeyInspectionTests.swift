import JOSE
import ServiceSupport
import Testing
import TokenMinting
import TokenService

struct KeyInspectionTests {
    private let key: RSAPrivateKey

    init() throws {
        key = try SampleToken.key.get()
    }

    @Test
    func `A service account’s key is recognized, after white space too`() throws {
        let account = try ServiceAccount(email: "a@b.example", keyID: "key-1", key: key)
        for prefix in ["", "\n\t \r"] {
            let inspection = try KeyInspection(of: Array(prefix.utf8) + account.encoded())
            #expect(inspection.isSecret)
            #expect(inspection.jwk == JWK(key.publicKey, keyID: "key-1"))
            #expect(inspection.title == "a service account's JSON key, usable for signing")
            #expect(
                inspection.text == """
                      Account     a@b.example
                      Key ID      key-1
                      Size        RSA, 2048 bits
                      Thumbprint  \(key.publicKey.thumbprint)

                    """
            )
        }
    }

    @Test
    func `A private key in PEM is recognized`() throws {
        let inspection = try KeyInspection(of: try key.pem())
        #expect(inspection.isSecret)
        #expect(inspection.jwk == JWK(key.publicKey))
        #expect(inspection.title == "a private key, usable for signing")
    }

    @Test(
        arguments: [
            "", "{", "{}", "[]", "-----BEGIN ", "-----BEGIN PRIVATE KEY-----\n-----END PRIVATE KEY-----",
            #"{"client_email":"a@b.example","private_key_id":"k","private_key":"-----BEGIN PRIVATE KEY-----"}"#,
            "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----", "ssh-rsa AAAA", "\u{0}\u{1}\u{2}",
        ]
    )
    func `A text that is no key is refused`(text: String) {
        let error = #expect(throws: (any Error).self) { try KeyInspection(of: Array(text.utf8)) }
        #expect(error is JOSEError || error is OperatorError)
    }

    /// Every byte of the private numbers counts: a damaged key must not pass for the public half of a good one.
    @Test
    func `A damaged private key never passes for a public one`() throws {
        let pem = try key.pem()
        var refused = 0
        for index in stride(from: 0, to: pem.count, by: 97) {
            var damaged = pem
            damaged[index] = damaged[index] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
            guard let inspection = try? KeyInspection(of: damaged) else {
                refused += 1
                continue
            }
            #expect(inspection.title == "a private key, usable for signing")
        }
        #expect(refused > 5)
    }
}
