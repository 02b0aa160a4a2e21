import FleetToken
import JOSE
import StrictCoding
import Synchronization

@testable import ServiceTools
@testable import TokenIssuance

/// Keeps lines in memory, and fails when a test says so.
final class MemorySink: AuditSink {
    private struct State {
        var lines: [[UInt8]] = []
        var writes = 0
        var failures = 0
    }

    private struct WrongCount: Error {}

    private let state = Mutex(State())

    /// What was written, a line with its newline each.
    var lines: [[UInt8]] { state.withLock { $0.lines } }

    /// How often something was written.
    var writes: Int { state.withLock { $0.writes } }

    /// The trail's file.
    var file: [UInt8] { Array(lines.joined()) }

    /// Makes the next writes fail.
    func fail(_ count: Int) {
        state.withLock { $0.failures = count }
    }

    func lastLine() -> [UInt8]? {
        state.withLock { $0.lines.last.map { $0.dropLast() } }
    }

    func write(_ bytes: [UInt8], lines: Int) throws {
        try state.withLock { state in
            guard state.failures == 0 else {
                state.failures -= 1
                throw CancellationError()
            }
            let written = bytes.split(separator: UInt8(ascii: "\n")).map { Array($0) + [UInt8(ascii: "\n")] }
            guard written.count == lines else { throw WrongCount() }
            state.lines += written
            state.writes += 1
        }
    }

    func check() {}
}

extension AuditRecord {
    /// A token that was handed out.
    static func sample(_ id: String = "vehicle-1", requestID: String = "request-1") throws -> AuditRecord {
        AuditRecord(
            time: NumericDate(seconds: 1_800_000_000),
            requestID: requestID,
            caller: Caller(method: .jwt, name: "app", subject: "driver-7", claims: .init(), isApp: true),
            address: "192.0.2.1",
            scope: .driver(vehicle: try ResourceID(id)),
            decision: .allow,
            rule: "own-vehicle",
            token: .init(
                keyID: "key-1",
                expiresAt: NumericDate(seconds: 1_800_003_540),
                sha256: SHA256Digest(of: Array("a token".utf8)),
                isReused: false
            )
        )
    }
}

extension AuditTrail {
    /// A trail of some lines in memory.
    static func lines(_ count: Int) throws -> [[UInt8]] {
        var position = Position.start
        return try (1...count).map { number in
            var bytes: [UInt8] = []
            position = try AuditRecord.sample("vehicle-\(number)").line(ids: .plain).append(to: &bytes, at: position)
            return bytes
        }
    }
}

extension AuditVerification {
    /// The faults of a trail in some files, as `line: what`.
    static func problems(_ files: [[UInt8]]...) -> [Int] {
        var verification = AuditVerification()
        for file in files { verification.read(Array(file.joined())) }
        return verification.problems.map(\.line)
    }
}

extension AuditRecord {
    /// The record's line at the beginning of a trail, without its newline.
    func firstLine(ids: AuditIDs = .plain) -> [UInt8] {
        var bytes: [UInt8] = []
        _ = line(ids: ids).append(to: &bytes, at: .start)
        return bytes.dropLast()
    }
}
