import FleetToken
import JOSE
import Logging
import ServiceConfiguration
import Synchronization
import TestSupport
import TokenIssuance
import TokenMinting

@testable import TokenService

/// What tests of batches share: keys, a clock, and signers of batches with a library that does what it is told.
enum BatchTrial {
    private static let keys = Result { try [2048, 2048, 3072].map { try RSAPrivateKey.generate(bits: $0) } }

    /// Returns a signer with a key of its own: 0 and 1 have 2,048 bits, 2 has 3,072.
    static func signer(_ index: Int = 0) throws -> LocalSigner {
        let key = try keys.get()[index]
        return LocalSigner(try ServiceAccount(email: "driver@fleet.example", keyID: "key-\(index)", key: key))
    }

    /// Returns what signs batches; a key's self-test takes the given times, in microseconds.
    static func batches(
        _ configuration: SigningConfiguration,
        processor: Processor = Processor(flags: Processor.neededForBatches),
        single: Int64 = 250,
        batch: Int64 = 620,
        metrics: BatchMetrics? = nil
    ) -> BatchSigner {
        let durations = [Int64](repeating: single, count: 8) + [Int64](repeating: batch, count: 3)
        let calls = Mutex((count: 0, now: Int64(0)))
        return BatchSigner(
            configuration,
            processor: processor,
            metrics: metrics,
            clock: {
                calls.withLock { calls in
                    // Each measurement looks twice.
                    if calls.count % 2 == 1 { calls.now += durations[calls.count / 2 % durations.count] * 1_000 }
                    calls.count += 1
                    return calls.now
                }
            },
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
    }

    /// What signs no batches, and finds that libcrypto takes a quarter of a millisecond.
    static var off: BatchSigner {
        let now = Mutex<Int64>(0)
        return BatchSigner(
            SigningConfiguration(batch: .off),
            clock: {
                now.withLock { now in
                    now += BatchSigner.usualDuration
                    return now
                }
            },
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
    }

    /// Returns whether a token has a payload and the signature of a signer.
    static func token(_ token: SignedToken, isOf signer: LocalSigner, _ payload: [UInt8]) -> Bool {
        guard let jws = try? CompactJWS(parsing: token.token.reveal()),
            (try? jws.verify(with: signer.key.publicKey)) != nil
        else { return false }
        return jws.payload == payload
    }
}
