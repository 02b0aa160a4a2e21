import Foundation
import JOSE
import TestTools
import Testing

/// One key, many threads.
@Suite(.watchdog(seconds: 60))
struct ConcurrencyTests {
    @Test
    func `Eight threads share a key`() async throws {
        let key = try SharedKeys.key()
        let (results, continuation) = AsyncStream.makeStream(of: Int.self)
        for thread in 0..<8 {
            Thread.detachNewThread {
                let count = (0..<100).count { round in
                    let message = Array("thread \(thread), round \(round)".utf8)
                    guard let signature = try? key.signature(for: message) else { return false }
                    return key.publicKey.isValidSignature(signature, for: message)
                        && !key.publicKey.isValidSignature(signature, for: message + [0])
                }
                continuation.yield(count)
            }
        }
        var finished = 0
        for await count in results {
            #expect(count == 100)
            finished += 1
            if finished == 8 { break }
        }
    }

    /// `exit` must not take libcrypto apart under them.
    @Test
    func `A process exits while its threads sign`() async {
        await #expect(processExitsWith: .success) { try Self.exitWhileThreadsSign() }
    }

    private static func exitWhileThreadsSign() throws {
        let key = try RSAPrivateKey.generate()
        let hasSigned = DispatchSemaphore(value: 0)
        for _ in 0..<4 {
            Thread.detachNewThread {
                while true {
                    _ = try? key.signature(for: [1])
                    hasSigned.signal()
                }
            }
        }
        for _ in 0..<8 { hasSigned.wait() }
        exit(EXIT_SUCCESS)
    }
}
