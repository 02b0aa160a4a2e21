import COpenSSL
import TestRandomness
import TestSupport
import TestTraits
import Testing

@testable import JOSE

/// Signatures that are made several at once are those that libcrypto makes one by one.
@Suite(.watchdog(seconds: 60)) struct RSABatchTests {
    /// Two keys of each size; of the second, the primes are in the other order.
    private static let keys = Result { () throws -> [Int: [RSAPrivateKey]] in
        try [2048, 3072, 4096].reduce(into: [:]) { keys, bits in
            let other = try RSANumbers(LibcryptoKey("RSA", bits: Int32(bits))).withPrimesSwapped()
            keys[bits] = [try RSAPrivateKey.generate(bits: bits), try RSAPrivateKey(pem: other.pem)]
        }
    }

    private static func laneKeys(_ bits: Int) throws -> [(key: RSAPrivateKey, lane: RSABatchKey)] {
        try (try keys.get()[bits] ?? []).map { ($0, try #require(RSABatchKey($0))) }
    }

    @Test(
        .enabled(if: Requirement.runs(where: LaneLibrary.hasIntels), Comment(rawValue: LaneLibrary.lack)),
        arguments: [(2048, 480), (3072, 48), (4096, 32)]
    )
    func signaturesAreThoseOfLibcrypto(bits: Int, batches: Int) throws {
        let library = try CryptoMB(LaneLibrary.intel().path)
        let lanes = try #require(RSABatch(library, bits: bits))
        let keys = try Self.laneKeys(bits)
        var random = SeededGenerator(seed: UInt64(bits))
        for batch in 0..<batches {
            let requests = (0...batch % 8).map { _ in
                let message = (0..<Int.random(in: 0...900, using: &random)).map { _ in
                    UInt8.random(in: .min ... .max, using: &random)
                }
                return (message: message, key: keys[Int.random(in: 0...1, using: &random)])
            }
            let made = lanes.signatures(requests.map { ($0.message, $0.key.lane) })
            let expected = try requests.map { try $0.key.key.signature(for: $0.message) }
            #expect(made == expected)
        }
    }

    private func signatures(_ order: String, count: Int = 8) async throws -> [Bool?] {
        try await withTemporaryDirectory { folder in
            let file = try await LaneLibrary(compiledIn: folder)
            let lanes = try #require(RSABatch(try CryptoMB(file.path), bits: 2048))
            let keys = try Self.laneKeys(2048)
            let requests = (0..<count).map { (message: [UInt8($0)], key: keys[$0 % 2]) }
            try file.tell(order)
            let made = lanes.signatures(requests.map { ($0.message, $0.key.lane) })
            return try zip(made, requests).map { signature, request in
                try signature.map { $0 == (try request.key.key.signature(for: request.message)) }
            }
        }
    }

    @Test(arguments: 0..<8, ["wrong", "status"])
    func aLaneThatFailsHasNoSignatureAndTheOthersHave(lane: Int, fault: String) async throws {
        let right = try await signatures("\(fault) \(lane)")
        #expect(right == (0..<8).map { $0 == lane ? nil : true })
    }

    @Test func aFaultOfAnIdleLaneIsNoFault() async throws {
        #expect(try await signatures("wrong 3", count: 3) == [true, true, true])
    }

    @Test(arguments: ["unsupported", "short"])
    func lanesThatAllFailHaveNoSignature(fault: String) async throws {
        #expect(try await signatures(fault) == [Bool?](repeating: nil, count: 8))
    }

    @Test(arguments: ["sizeless", "greedy"])
    func aLibraryWithoutTheSizeHasNoLanes(order: String) async throws {
        try await withTemporaryDirectory { folder in
            let file = try await LaneLibrary(compiledIn: folder)
            try file.tell(order)
            #expect(try RSABatch(CryptoMB(file.path), bits: 2048) == nil)
        }
    }

    @Test func aLibraryThatLacksAFunctionIsRefused() async throws {
        try await withTemporaryDirectory { folder in
            let path = try await LaneLibrary(compiledIn: folder, defining: "INCOMPLETE").path
            let error = #expect(throws: JOSEError.self) { try CryptoMB(path) }
            #expect(error?.code == .library)
            #expect(error?.description == "\(path) is not the library crypto_mb: mbx_rsa_public_mb8 is missing.")
        }
    }

    @Test(arguments: ["/nowhere/lanes.so", #filePath])
    func whatIsNoLibraryIsRefused(path: String) {
        let error = #expect(throws: JOSEError.self) { try CryptoMB(path) }
        #expect(error?.code == .library)
        #expect(error?.description.hasPrefix("\(path) cannot be loaded") == true)
    }
}

extension RSANumbers {
    /// The same key with its primes in the other order.
    fileprivate func withPrimesSwapped() throws -> RSANumbers {
        var swapped = self
        (swapped.p, swapped.q, swapped.dp, swapped.dq) = (q, p, dq, dp)
        guard let p = BN_bin2bn(p, Int32(p.count), nil), let q = BN_bin2bn(q, Int32(q.count), nil),
            let inverse = BN_mod_inverse(nil, p, q, nil)
        else { throw LibcryptoKey.Failure() }
        defer { [p, q, inverse].forEach { BN_clear_free($0) } }
        swapped.qi = [UInt8](repeating: 0, count: (Int(BN_num_bits(inverse)) + 7) / 8)
        BN_bn2bin(inverse, &swapped.qi)
        return swapped
    }
}
