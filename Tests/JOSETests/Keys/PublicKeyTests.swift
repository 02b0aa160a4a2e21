import COpenSSL
import TestSupport
import Testing

@testable import JOSE

/// Public keys, from PEM and from their numbers.
struct PublicKeyTests {
    @Test
    func `All files that contain a public key are read`() throws {
        let key = try SharedKeys.libcryptoKey()
        let numbers = try RSANumbers(key)
        let pkcs1 = DER.pem("RSA PUBLIC KEY", DER.rsaPublicKey(modulus: numbers.n, exponent: numbers.e))
        let info = DER.pem("PUBLIC KEY", DER.subjectPublicKeyInfo(modulus: numbers.n, exponent: numbers.e))
        let expected = try RSAPublicKey(modulus: numbers.n, exponent: numbers.e)
        for pem in [
            info, pkcs1, try key.publicKey(), try key.certificate(), try key.pkcs8(), try key.traditional(),
            info.flatMap { $0 == 0x0A ? [0x0D, 0x0A] : [$0] },
        ] {
            #expect(try RSAPublicKey(pem: pem) == expected)
        }
    }

    @Test
    func `Nothing of the private half is kept`() throws {
        let key = try SharedKeys.libcryptoKey()
        for publicKey in [try RSAPublicKey(pem: try key.pkcs8()), try RSAPrivateKey(pem: try key.pkcs8()).publicKey] {
            #expect(throws: JOSEError.self) { try publicKey.key.number(OSSL_PKEY_PARAM_RSA_D) }
            #expect(try publicKey.key.number(OSSL_PKEY_PARAM_RSA_N) == publicKey.modulus)
        }
        #expect(ERR_peek_error() == 0)
    }

    @Test
    func `Other keys are refused with their type`() throws {
        for (pem, words) in [
            (try LibcryptoKey("EC").publicKey(), "type EC"),
            (try LibcryptoKey("EC").certificate(), "type EC"),
            (try LibcryptoKey("ED25519").certificate(), "type ED25519"),
            (try LibcryptoKey("RSA-PSS").publicKey(), "type RSA-PSS"),
            (try LibcryptoKey("RSA", bits: 1024).publicKey(), "1024 bits"),
            (try LibcryptoKey("RSA", bits: 1024).certificate(), "1024 bits"),
            (try SharedKeys.libcryptoKey().pkcs8(passphrase: "passphrase"), ""),
            (DER.pem("PUBLIC KEY", [0x30, 0x00]), "cannot be decoded"),
            (DER.pem("CERTIFICATE", [0x30, 0x00]), "cannot be decoded"),
            (DER.pem("X509 CRL", [0x30, 0x00]), "public key"),
            ([], "not PEM"),
        ] {
            let error = try #require(throws: JOSEError.self) { try RSAPublicKey(pem: pem) }
            #expect(error.description.contains(words), "\(error)")
            #expect(ERR_peek_error() == 0)
        }
    }

    @Test
    func `Numbers that are no key are refused`() throws {
        let n = try SharedKeys.key().publicKey.modulus
        let even = n.dropLast() + [n[n.count - 1] & 0xFE]
        let short = [0x7F] + n.dropFirst()
        let long = [1] + [UInt8](repeating: 0, count: 1023) + [1]
        for (modulus, exponent) in [
            ([], [1, 0, 1]), ([0], [1, 0, 1]), (n, []), (n, [0]), (n, [1]), (n, [0, 1]), (n, [2]), (n, [1, 0, 0]),
            (n, [1, 0, 0, 0, 0, 0, 0, 0, 1]), (Array(even), [1, 0, 1]), (short, [1, 0, 1]), (long, [1, 0, 1]),
            ([UInt8](repeating: 0xFF, count: 1_000_000), [1, 0, 1]), (n, [UInt8](repeating: 0xFF, count: 1_000_000)),
            ([UInt8](repeating: 0, count: 256), [1, 0, 1]),
        ] as [([UInt8], [UInt8])] {
            #expect { try RSAPublicKey(modulus: modulus, exponent: exponent) } throws: {
                ($0 as? JOSEError)?.code == .invalidKey
            }
        }
        #expect(ERR_peek_error() == 0)
    }

    @Test
    func `Leading zeros make no other key`() throws {
        let key = try SharedKeys.key().publicKey
        let padded = try RSAPublicKey(modulus: [0, 0] + key.modulus, exponent: [0] + key.exponent)
        #expect(padded == key)
        #expect(padded.thumbprint == key.thumbprint)
        let signature = try SharedKeys.key().signature(for: [1])
        #expect(padded.isValidSignature(signature, for: [1]))
    }

    @Test
    func `A key of 8192 bits is accepted`() throws {
        let largest = try RSAPublicKey(
            modulus: [UInt8](repeating: 0xFF, count: 1024),
            exponent: [UInt8](repeating: 0xFF, count: 8)
        )
        #expect(largest.bits == 8192)
        #expect(!largest.isValidSignature([UInt8](repeating: 1, count: 1024), for: [1]))
    }

    @Test
    func `A failed verification has no effect on the next`() throws {
        let key = try SharedKeys.key()
        let signature = try key.signature(for: [1])
        for wrong in [
            [], [UInt8](repeating: 0, count: 256), [UInt8](repeating: 0xFF, count: 256), signature.reversed(),
        ] {
            #expect(!key.publicKey.isValidSignature(wrong, for: [1]))
            #expect(ERR_peek_error() == 0)
        }
        #expect(key.publicKey.isValidSignature(signature, for: [1]))
        #expect(!key.publicKey.isValidSignature(signature, for: []))
    }
}
