import FleetToken

@testable import TokenIssuance
@testable import TokenMinting

extension AuditRecord {
    /// A token that was handed out.
    static func sample(_ id: String = "vehicle-1", requestID: String = "request-1") throws -> AuditRecord {
        let scope = TokenScope.driver(vehicle: try ResourceID(id))
        let token = MintedToken(
            Secret("a token"),
            scope: scope,
            issuedAt: NumericDate(seconds: 1_799_999_940),
            expiresAt: NumericDate(seconds: 1_800_003_540),
            keyID: "key-1"
        )
        return AuditRecord(
            call: .sample(id: requestID),
            time: NumericDate(seconds: 1_800_000_000),
            caller: Caller(method: .jwt, name: "app", subject: "driver-7", claims: .init(), rateLimit: .perUser),
            scope: scope,
            decision: .allow,
            rule: "own-vehicle",
            token: (token, isReused: false)
        )
    }
}

extension AuditTrail {
    /// A trail of some lines in memory.
    static func lines(_ count: Int) throws -> [[UInt8]] {
        try (1...count).map { number in
            var bytes: [UInt8] = []
            let object = try AuditRecord.sample("vehicle-\(number)").json
            append(object, of: "0000000000000007", number: UInt64(number), to: &bytes)
            return bytes
        }
    }

    /// Adds a record's line.
    func append(_ record: AuditRecord) async throws { try await append(record.json) }
}
