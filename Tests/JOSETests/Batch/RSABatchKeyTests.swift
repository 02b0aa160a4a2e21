import Foundation
import Testing

@testable import JOSE

/// A key's numbers for the lanes.
@Suite struct RSABatchKeyTests {
    @Test func keysOfOtherSizesAreLeftToLibcrypto() throws {
        #expect(try RSABatchKey(RSAPrivateKey.generate(bits: 2056)) == nil)
    }

    /// The lanes' library checks its signatures with the usual one.
    @Test("A key with another public exponent than 65,537 is left to libcrypto")
    func otherExponent() throws {
        let key = try RSAPrivateKey(pem: LibcryptoKey("RSA", exponent: 3).pkcs8())
        #expect(RSABatchKey(key) == nil)
    }

    @Test func theirMemoryIsInNoCoreDump() throws {
        let memory = try #require(SecretMemory(size: 4096))
        #expect(try Self.flags(of: memory.start).contains("dd"))
    }

    @Test func wipedMemoryHasNothing() throws {
        let memory = try #require(SecretMemory(size: 4096))
        memset(memory.start, 0x5A, 4096)
        memory.wipe()
        #expect(UnsafeRawBufferPointer(start: memory.start, count: 4096).allSatisfy { $0 == 0 })
    }

    /// Returns the flags of the mapping that begins at an address (proc(5)).
    private static func flags(of address: UnsafeMutableRawPointer) throws -> [Substring] {
        let file = try #require(FileHandle(forReadingAtPath: "/proc/self/smaps"))
        let maps = String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self).split(separator: "\n")
        let position = UInt(bitPattern: address)
        let start = try #require(
            maps.firstIndex { line in
                let range = line.prefix { $0 != " " }.split(separator: "-").compactMap { UInt($0, radix: 16) }
                return range.count == 2 && range[0] <= position && position < range[1]
            }
        )
        let flags = try #require(maps[start...].first { $0.hasPrefix("VmFlags:") })
        return flags.split(separator: " ")
    }
}
