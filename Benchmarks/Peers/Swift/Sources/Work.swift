import Crypto
import Foundation

/// What tokend does for each request beside the token: a key, a grant, a limit, a line in a chained audit trail, and metrics.
actor Work {
    private struct Line: Encodable {
        let v = 1
        let sequence: Int
        let time: Int
        let requestId: String
        let method = "api_key"
        let caller: String
        let kind = "driver"
        let ids: [String]
        let decision = "allow"
        let rule = "any"
        let keyId: String
        let expiresAt: Int
        let tokenSha256: String
        let previous: String
    }

    private static let bounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

    private let apiKey: [UInt8]
    private let keyID: String
    private let file: FileHandle
    private let encoder = JSONEncoder()
    private let grants = ["backend": ["driver"]]
    private var tokens: [String: Token] = [:]
    private var remaining = 1_000_000.0
    private var refilled = ContinuousClock.now
    private var sequence = 0
    private var previous = String(repeating: "0", count: 64)
    private var requests: [Int: Int] = [:]
    private var buckets = [Int](repeating: 0, count: bounds.count + 1)

    init(apiKey: String, audit: String, keyID: String) throws {
        self.apiKey = stride(from: 0, to: apiKey.utf8.count, by: 2).compactMap {
            UInt8(apiKey.dropFirst($0).prefix(2), radix: 16)
        }
        self.keyID = keyID
        try Data().write(to: URL(fileURLWithPath: audit))
        file = try FileHandle(forWritingTo: URL(fileURLWithPath: audit))
    }

    /// The comparison takes constant time: swift-crypto's digests do.
    func accepts(apiKey presented: String) -> Bool {
        SHA256.hash(data: Data(presented.utf8)) == apiKey
    }

    func admits(caller: String, kind: String) -> Bool {
        let now = ContinuousClock.now
        remaining = min(1_000_000, remaining + (now - refilled) / .seconds(1) * 200_000)
        refilled = now
        guard remaining >= 1 else { return false }
        remaining -= 1
        return grants[caller]?.contains(kind) == true
    }

    func kept(_ id: String, now: Int) -> Token? {
        tokens[id].flatMap { now < $0.reuseEnds ? $0 : nil }
    }

    func keep(_ token: Token, for id: String) {
        if tokens.count >= 16_384 { tokens.removeAll() }
        tokens[id] = token
    }

    /// Without the line in the file there is no token.
    func record(_ token: Token, requestID: String, caller: String, id: String, now: Int) throws {
        let line = try encoder.encode(
            Line(
                sequence: sequence + 1,
                time: now,
                requestId: requestID,
                caller: caller,
                ids: [id],
                keyId: keyID,
                expiresAt: token.expiresAt,
                tokenSha256: hex(SHA256.hash(data: Data(token.text.utf8))),
                previous: previous
            )
        )
        try file.write(contentsOf: line + [0x0A])
        sequence += 1
        previous = hex(SHA256.hash(data: line))
    }

    func count(status: Int, duration: Duration) {
        requests[status, default: 0] += 1
        let seconds = duration / .seconds(1)
        buckets[Self.bounds.firstIndex { seconds <= $0 } ?? Self.bounds.count] += 1
    }
}

private func hex(_ digest: SHA256.Digest) -> String {
    digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}
