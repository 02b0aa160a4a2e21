import FleetToken
import JOSE
import StrictCoding

@testable package import TokenIssuance

extension AuditRecord {
    /// A token that was handed out.
    package static func sample(_ id: String = "vehicle-1", requestID: String = "request-1") throws -> AuditRecord {
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
    package static func lines(_ count: Int) throws -> [[UInt8]] {
        var position = Position.start
        return try (1...count).map { number in
            var bytes: [UInt8] = []
            position = try AuditRecord.sample("vehicle-\(number)").line(ids: .plain).append(to: &bytes, at: position)
            return bytes
        }
    }
}

extension AuditRecord {
    /// The record's line at the beginning of a trail, without its newline.
    package func firstLine(ids: AuditIDs = .plain) -> [UInt8] {
        var bytes: [UInt8] = []
        _ = line(ids: ids).append(to: &bytes, at: .start)
        return bytes.dropLast()
    }
}
