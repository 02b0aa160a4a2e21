import COpenSSL
import TestSupport
import TestTools
import Testing

@testable import JOSE

/// Private keys as they come: in two formats, with other things around them, and in all the ways that are no use.
struct PrivateKeyPEMTests {
    private func key(_ pem: [UInt8]) throws -> RSAPrivateKey { try RSAPrivateKey(pem: pem) }

    private func crlf(_ text: [UInt8]) -> [UInt8] { text.flatMap { $0 == 0x0A ? [0x0D, 0x0A] : [$0] } }

    private func spaced(_ pem: [UInt8], _ end: String) -> [UInt8] {
        pem.flatMap { $0 == 0x0A ? Array(end.utf8) : [$0] }
    }

    @Test
    func `Both formats are read, with text around them`() throws {
        let key = try SharedKeys.libcryptoKey()
        let pkcs8 = try key.pkcs8()
        let pkcs1 = try key.traditional()
        let expected = try RSAPublicKey(pem: try key.publicKey())
        let leading = Array("Bag Attributes\n    friendlyName: key\r\n\n".utf8)
        for pem in [
            pkcs8, pkcs1, crlf(pkcs8), crlf(pkcs1), leading + pkcs8, Array(pkcs8.dropLast()),
            pkcs8 + Array("\n \r\nend\u{0}".utf8), spaced(pkcs8, "\n    "), spaced(pkcs8, "\n\n"), spaced(pkcs1, " "),
            spaced(pkcs8, " \t\r\n"), [0xEF, 0xBB, 0xBF] + pkcs8,
        ] {
            #expect(try self.key(pem).publicKey == expected)
        }
    }

    @Test(arguments: [2048, 2056, 3072, 4096])
    func `Keys of 2048 to 4096 bits sign`(bits: Int32) throws {
        let key = try key(try LibcryptoKey("RSA", bits: bits).pkcs8())
        #expect(key.publicKey.bits == Int(bits))
        let signature = try key.signature(for: [1, 2, 3])
        #expect(key.publicKey.isValidSignature(signature, for: [1, 2, 3]))
        #expect(!key.publicKey.isValidSignature(signature, for: [1, 2, 4]))
    }

    @Test
    func `A key is read as it was written`() throws {
        let key = try SharedKeys.key()
        let pem = try key.pem()
        #expect(pem.starts(with: Array("-----BEGIN PRIVATE KEY-----\n".utf8)))
        #expect(try self.key(pem).publicKey == key.publicKey)
        #expect(try self.key(pem).pem() == pem)
    }

    @Test(arguments: UnusableKey.all)
    func `An unusable key is refused with its reason, which shows nothing of it`(fault: UnusableKey) throws {
        let pem = try fault.pem()
        let error = try #require(throws: JOSEError.self) { try key(pem) }
        #expect(error.code == (fault.words == "openssl pkey -in" ? .encryptedKey : .invalidKey))
        #expect(error.description.contains(fault.words), "\(error)")
        #expect(!Leak.shows(pem, in: error.description))
        #expect(!Leak.shows(pem, in: String(reflecting: error)))
        #expect(ERR_peek_error() == 0)
    }

    @Test(arguments: 0..<2)
    func `A damaged file is refused, or is the same key`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let genuine = try SharedKeys.libcryptoKey()
        let expected = try RSAPublicKey(pem: try genuine.publicKey())
        let texts = [try genuine.pkcs8(), try genuine.traditional()]
        for round in 0..<400 {
            let mutated = generator.damage(texts[round % 2])
            guard let key = try? key(mutated) else { continue }
            #expect(key.publicKey == expected)
        }
        #expect(ERR_peek_error() == 0)
    }

    @Test
    func `A key with one wrong number is refused`() throws {
        let numbers = try RSANumbers(try SharedKeys.libcryptoKey())
        _ = try key(numbers.pem)
        let fields: [WritableKeyPath<RSANumbers, [UInt8]>] = [\.n, \.e, \.d, \.p, \.q, \.dp, \.dq, \.qi]
        for field in fields {
            for change in [0x02, 0x40] as [UInt8] {
                var damaged = numbers
                damaged[keyPath: field][0] ^= change
                #expect(throws: JOSEError.self) { try key(damaged.pem) }
            }
            for value in [[], [1], [2], [3], numbers.n, [UInt8](repeating: 0xFF, count: 20_000)] as [[UInt8]] {
                var damaged = numbers
                guard damaged[keyPath: field] != value else { continue }
                damaged[keyPath: field] = value
                #expect(throws: JOSEError.self) { try key(damaged.pem) }
            }
        }
        // Right for one of the primes and wrong for the other.
        for prime in [numbers.p, numbers.q] {
            var damaged = numbers
            damaged.d = sum(damaged.d, prime.dropLast() + [prime[prime.count - 1] - 1])
            #expect(throws: JOSEError.self) { try key(damaged.pem) }
        }
        #expect(ERR_peek_error() == 0)
    }

    /// The sum of two big-endian numbers.
    private func sum(_ number: [UInt8], _ other: [UInt8]) -> [UInt8] {
        var sum = number
        var carry = 0
        for index in 0..<number.count {
            let place = number.count - 1 - index
            carry += Int(number[place]) + (index < other.count ? Int(other[other.count - 1 - index]) : 0)
            sum[place] = UInt8(carry & 0xFF)
            carry >>= 8
        }
        return [UInt8(carry)] + sum
    }

    @Test(arguments: [-1, 0, 512, 1024, 2047, 8193, Int.max, Int.min])
    func `No key of another size is generated`(bits: Int) {
        #expect { try RSAPrivateKey.generate(bits: bits) } throws: { ($0 as? JOSEError)?.code == .invalidKey }
    }
}
