import COpenSSL
import Synchronization

/// Signs up to eight messages in one batch, each with its own key of the same size, and verifies each signature before it is
/// returned.
///
/// A fault in one half of the computation would give the key away (Boneh, DeMillo and Lipton, 1997), so the public
/// operation of the eight lanes must lead back to what was signed.
package final class RSABatch: Sendable {
    /// The number of signatures in a full batch.
    package static let count = 8
    /// More working memory than any version of the library takes; more is no size.
    private static let maximumWorkSize = 4 << 20

    package typealias Request = (message: [UInt8], key: RSABatchKey)

    private let library: CryptoMB
    private let bits: Int
    /// What is signed, the signatures, what the public operation makes of them: eight each; then the library's own.
    private let memory: Mutex<SecretMemory>

    /// Creates the lanes for one size of keys.
    ///
    /// - Returns: nil if the library does not support the size, or memory ran out.
    package init?(_ library: CryptoMB, bits: Int) {
        guard let privateMethod = library.privateMethod(Int32(bits)),
            let publicMethod = library.publicMethod(Int32(bits)),
            case let workSizes = [library.workSize(privateMethod), library.workSize(publicMethod)].map(Int.init),
            workSizes.allSatisfy({ (1...Self.maximumWorkSize).contains($0) }),
            let memory = SecretMemory(size: 3 * Self.count * bits / 8 + max(workSizes[0], workSizes[1]))
        else { return nil }
        self.library = library
        self.bits = bits
        self.memory = Mutex(memory)
    }

    /// Signs each message with its key, as RS256 does.
    ///
    /// - Parameter requests: One to eight, with keys of this size.
    /// - Returns: The signature of each message; nil for one that the lanes failed to make.
    package func signatures(_ requests: [Request]) -> [[UInt8]?] {
        precondition((1...Self.count).contains(requests.count) && requests.allSatisfy { $0.key.bits == bits })
        return memory.withLock { memory in
            defer { memory.wipe() }
            return signatures(requests, in: memory.start)
        }
    }

    private func signatures(_ requests: [Request], in memory: UnsafeMutableRawPointer) -> [[UInt8]?] {
        guard let privateMethod = library.privateMethod(Int32(bits)),
            let publicMethod = library.publicMethod(Int32(bits))
        else { return requests.map { _ in nil } }
        let size = bits / 8
        let blocks = (0..<3).map { block in (0..<Self.count).map { memory + (block * Self.count + $0) * size } }
        let (padded, signatures, opened) = (blocks[0], blocks[1], blocks[2])
        let work = memory + 3 * Self.count * size
        // An idle lane repeats the first request, since a batch takes its time whatever its size.
        let all = requests + (requests.count..<Self.count).map { _ in requests[0] }
        for (place, request) in zip(padded, all) {
            place.copyMemory(from: Self.padded(request.message, size: size), byteCount: size)
        }
        let factors = (0..<5).map { number in all.map { $0.key.factor(number) } }
        let made = library.raiseToPrivate(
            padded,
            signatures,
            factors[0],
            factors[1],
            factors[2],
            factors[3],
            factors[4],
            Int32(bits),
            privateMethod,
            work
        )
        let checked = library.raiseToPublic(
            signatures,
            opened,
            all.map(\.key.modulus),
            Int32(bits),
            publicMethod,
            work
        )
        return requests.indices.map { lane in
            guard (made | checked) >> (4 * UInt32(lane)) & 0xF == 0,
                CRYPTO_memcmp(padded[lane], opened[lane], size) == 0
            else { return nil }
            return Array(UnsafeRawBufferPointer(start: signatures[lane], count: size))
        }
    }

    /// Returns a message's SHA-256 digest as PKCS #1 v1.5 pads it (RFC 8017 section 9.2).
    private static func padded(_ message: [UInt8], size: Int) -> [UInt8] {
        // The DER encoding of DigestInfo up to the digest.
        let digestInfo: [UInt8] = [
            0x30, 0x31, 0x30, 0x0D, 0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01, 0x05, 0x00, 0x04,
            0x20,
        ]
        let end = digestInfo + SHA256Digest(of: message).bytes
        return [0, 1] + [UInt8](repeating: 0xFF, count: size - end.count - 3) + [0] + end
    }
}
