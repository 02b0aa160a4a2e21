import FleetToken
import Testing

@testable import JOSE

struct DigestTests {
    @Test(
        arguments: [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
        ]
    )
    func `The digest is the published one`(message: String, digest: String) {
        #expect(SHA256Digest(of: Array(message.utf8)).hexadecimal == digest)
    }

    @Test
    func `HMAC-SHA-256 gives the codes of RFC 4231, and SHA-1 the digest of FIPS 180-4`() {
        let message = Array("what do ya want for nothing?".utf8)
        #expect(
            Hexadecimal.text(HMACSHA256.code(for: message, key: Array("Jefe".utf8)))
                == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        )
        let long = HMACSHA256.code(
            for: Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
            key: [UInt8](repeating: 0xAA, count: 131)
        )
        #expect(Hexadecimal.text(long) == "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54")
        // With an empty key.
        #expect(
            Hexadecimal.text(HMACSHA256.code(for: [], key: []))
                == "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad"
        )
    }
}
