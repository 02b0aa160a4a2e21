import JOSE
import Logging
import ServiceConfiguration
import ServiceSupport
import Synchronization
import Telemetry
import TokenIssuance
import TokenMinting

/// Makes up to eight signatures at once, each with its own key, in AVX-512 registers.
///
/// It is used only for keys with which it signed as libcrypto does, and only where it is faster; ``batchKey(for:)`` tries
/// that. In use, ``RSABatch`` proves each signature. One that is wrong is made again by libcrypto, and the second one
/// ends batch signing: a processor or library that fails is not trusted until the next start.
final class BatchSigner: Sendable {
    /// The number of wrong signatures that end batch signing.
    private static let tolerated = 2
    /// How often batches are timed; the fastest counts.
    private static let timings = 3

    private struct State {
        var status: BatchStatus
        var faults = 0
        /// Measured, by the keys' size.
        var times: [Int: Times] = [:]
        /// Lanes that no thread uses now, by the keys' size.
        var idle: [Int: [RSABatch]] = [:]
    }

    /// The times of a signature by libcrypto and of a batch, in nanoseconds.
    private struct Times {
        let single: Int64
        let batch: Int64?

        /// The times of libcrypto alone.
        var alone: Self { Self(single: single, batch: nil) }

        /// The least number of signatures for which a batch is faster; a tie is libcrypto's.
        var least: Int? {
            guard let batch, case let least = Int(batch / single) + 1, least <= RSABatch.count else { return nil }
            return max(3, least)
        }
    }

    /// The time of a signature on an x86-64 core at 3 GHz, in nanoseconds, until one is measured.
    static let usualDuration: Int64 = 250_000

    private let measuredDuration = Atomic<Int64>(usualDuration)
    private let library: CryptoMB?
    private let state: Mutex<State>
    private let isOn: Atomic<Bool>
    private let metrics: BatchMetrics?
    private let clock: @Sendable () -> Int64
    private let logger: Logger

    /// Creates a signer, and loads the library if the configuration and the processor allow it.
    ///
    /// - Parameters:
    ///   - configuration: How keys in this process sign.
    ///   - processor: The processor.
    ///   - metrics: Where batches are counted.
    ///   - clock: The calling thread's time on the processor, in nanoseconds. A busy machine does not change it.
    ///   - logger: Gets faults.
    init(
        _ configuration: SigningConfiguration,
        processor: Processor = Processor(),
        metrics: BatchMetrics? = nil,
        clock: @escaping @Sendable () -> Int64 = Processor.threadNanoseconds,
        logger: Logger
    ) {
        let (library, status) = Self.load(configuration, processor: processor, logger: logger)
        self.library = library
        state = Mutex(State(status: status))
        isOn = Atomic(library != nil)
        self.metrics = metrics
        self.clock = clock
        self.logger = logger
        metrics?.show(status.reason, isInUse: status.isInUse)
    }

    private static func load(
        _ configuration: SigningConfiguration,
        processor: Processor,
        logger: Logger
    ) -> (CryptoMB?, BatchStatus) {
        guard configuration.batch != .off else {
            return (nil, BatchStatus(reason: .off, text: "Batch signing is not in use: signing.batch is off."))
        }
        if let obstacle = processor.reasonAgainstBatches {
            return (nil, BatchStatus(reason: .noInstructions, text: "Batch signing is not in use: \(obstacle)."))
        }
        do {
            // Its code runs in this process. The loader's own folders are root's, as for libcrypto itself.
            if let path = configuration.library { try TrustedFile(path).require() }
            // Written before, so that the log names a library that crashes.
            logger.notice(
                "Loading the batch signing library.",
                metadata: ["library": "\(configuration.library ?? CryptoMB.names.joined(separator: ", "))"]
            )
            LineWriter.standardError.flush(within: 1)
            let library = try configuration.library.map { try CryptoMB($0) } ?? CryptoMB.installed()
            return (
                library,
                BatchStatus(reason: .noKey, text: "Batch signing is not in use: no key is of a supported size.")
            )
        } catch {
            return (
                nil, BatchStatus(reason: .noLibrary, text: "Batch signing is not in use: \(OperatorMessage(error))")
            )
        }
    }

    /// Whether batch signing is in use, and why.
    var status: BatchStatus { state.withLock { $0.status } }

    /// A thread's time for one of many signatures with the fastest keys, as their self-tests measured, in
    /// nanoseconds.
    var duration: Int64 { measuredDuration.load(ordering: .relaxed) }

    /// Whether batches are made now.
    var isActive: Bool { isOn.load(ordering: .relaxed) }
}

// MARK: - Before use

extension BatchSigner {
    /// Returns a key's numbers for the lanes, after they signed with it as libcrypto does.
    ///
    /// - Returns: nil where libcrypto is to sign alone; ``status`` has the reason.
    func batchKey(for key: RSAPrivateKey) -> BatchKey? {
        let messages = (0..<RSABatch.count).map { Array("fleet-token self-test \($0)".utf8) }
        let alone = messages.map { message in time { try? key.signature(for: message) } }
        let single = alone.map(\.nanoseconds).min() ?? Self.usualDuration
        let bits = key.publicKey.bits
        guard isActive, let library, let numbers = RSABatchKey(key) else {
            measured(Times(single: single, batch: nil), bits)
            return nil
        }
        guard let lanes = RSABatch(library, bits: bits) else {
            measured(Times(single: single, batch: nil), bits)
            showUnlessInUse(
                .noLibrary,
                "Batch signing is not in use: the library does not support keys of \(bits) bits."
            )
            return nil
        }
        let batches = (0..<Self.timings).map { _ in time { lanes.signatures(messages.map { ($0, numbers) }) } }
        guard batches.allSatisfy({ $0.result == alone.map(\.result) }) else {
            turnOff(
                .wrongSignature,
                "Batch signing is not in use: its signatures differed from libcrypto's in the self-test."
            )
            return nil
        }
        let times = measured(Times(single: single, batch: batches.map(\.nanoseconds).min()), bits)
        return times.least.map { BatchKey(numbers: numbers, least: $0) }
    }

    private func time<Result>(_ body: () -> Result) -> (result: Result, nanoseconds: Int64) {
        let start = clock()
        let result = body()
        return (result, max(1, clock() - start))
    }

    /// Shows why keys of a size do not use the lanes, unless others do.
    private func showUnlessInUse(_ reason: BatchStatus.Reason, _ text: String) {
        state.withLock { state in
            guard isActive, !state.status.isInUse else { return }
            state.status = BatchStatus(reason: reason, text: text)
            metrics?.show(reason, isInUse: false)
        }
    }

    /// Keeps the times for a size, of which the first ones count, and shows what follows.
    @discardableResult
    private func measured(_ times: Times, _ bits: Int) -> Times {
        state.withLock { state in
            // Another thread may have found the lanes faulty meanwhile.
            let times = isActive ? state.times[bits].flatMap { $0.batch == nil ? nil : $0 } ?? times : times.alone
            state.times[bits] = times
            // Keys of the fastest size decide on what may wait: those of others are seldom mixed with them.
            guard let fastest = state.times.min(by: { $0.value.single < $1.value.single })?.value else { return times }
            let among = fastest.least == nil ? fastest.single : (fastest.batch ?? 0) / Int64(RSABatch.count)
            measuredDuration.store(max(1, among), ordering: .relaxed)
            guard let batch = times.batch, !state.status.isInUse else { return times }
            let speedup = Double(times.single * Int64(RSABatch.count) * 10 / batch) / 10
            state.status =
                times.least == nil
                ? BatchStatus(reason: .slower, text: "Batch signing is not in use: it is not faster on this machine.")
                : BatchStatus(reason: .faster, text: "Batch signing is in use: \(speedup) times as fast as libcrypto.")
            metrics?.show(state.status.reason, isInUse: state.status.isInUse)
            return times
        }
    }
}

// MARK: - In use

extension BatchSigner {
    /// A signature that waits.
    typealias Request = (signer: LocalSigner, key: BatchKey, payload: [UInt8])

    /// Signs up to eight payloads with keys of one size.
    func sign(_ requests: [Request]) -> [Result<SignedToken, any Error>] {
        let bits = requests[0].key.bits
        guard isActive, let lanes = takeLanes(bits) else {
            return requests.map { request in Result { try request.signer.sign(payload: request.payload) } }
        }
        let messages = requests.map { $0.signer.message(for: $0.payload) }
        let (signatures, duration) = time {
            lanes.signatures(zip(messages, requests).map { ($0, $1.key.numbers) })
        }
        state.withLock { $0.idle[bits, default: []].append(lanes) }
        metrics?.record(count: requests.count, nanoseconds: duration)
        return zip(requests, zip(messages, signatures)).map { request, signed in
            if let signature = signed.1 { return .success(request.signer.token(signed.0, signature: signature)) }
            recordFault(request.signer)
            return Result { try request.signer.sign(payload: request.payload) }
        }
    }

    /// Returns lanes for the calling thread alone: there are as many as threads need at once.
    private func takeLanes(_ bits: Int) -> RSABatch? {
        state.withLock { $0.idle[bits]?.popLast() } ?? library.flatMap { RSABatch($0, bits: bits) }
    }

    private func recordFault(_ signer: LocalSigner) {
        metrics?.faults.increment()
        logger.error(
            "Batch signing returned an invalid signature; it was recomputed with libcrypto.",
            metadata: ["account": "\(signer.issuer)"]
        )
        let count = state.withLock { state in
            state.faults += 1
            return state.faults
        }
        guard count == Self.tolerated else { return }
        turnOff(
            .faulty,
            "Batch signing is not in use: it returned \(count) invalid signatures. Check the processor and the library."
        )
    }

    private func turnOff(_ reason: BatchStatus.Reason, _ text: String) {
        isOn.store(false, ordering: .relaxed)
        let status = BatchStatus(reason: reason, text: text)
        state.withLock { state in
            state.status = status
            // A reload must not find the lanes' speed here.
            state.times = state.times.mapValues(\.alone)
            guard let single = state.times.values.map(\.single).min() else { return }
            measuredDuration.store(max(1, single), ordering: .relaxed)
        }
        metrics?.show(status.reason, isInUse: status.isInUse)
        logger.error("Batch signing was turned off.", metadata: ["reason": "\(text)"])
    }
}

/// A key that fits into the lanes.
struct BatchKey: Sendable {
    let numbers: RSABatchKey
    /// For how many signatures the lanes are worth it.
    let least: Int

    /// The key's size, which all lanes of a batch share.
    var bits: Int { numbers.bits }
}
