import FleetToken
import TestTools
import Testing

/// Damaged payloads must be read or refused, never crash, and never become a scope that is empty or wider.
struct ClaimsFuzzTests {
    private static let interesting = Array("*\"\\{}[],:0123456789-.eE \u{0}aés".utf8) + [0x80, 0xFF]

    @Test(
        arguments: try Samples.scopes()
    )
    func `A damaged payload is read or refused, and never a scope that is empty or wider`(scope: TokenScope) {
        var generator = SeededGenerator(seed: 7)
        let claims = FleetClaims(issuer: Samples.issuer, scope: scope, lifetime: .default, now: Samples.now)
        let original = claims.encoded()
        for _ in 0..<400 {
            var bytes = original
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                let index = Int.random(in: bytes.indices, using: &generator)
                let byte = Self.interesting[Int.random(in: Self.interesting.indices, using: &generator)]
                switch Int.random(in: 0..<3, using: &generator) {
                case 0: bytes[index] = byte
                case 1: bytes.insert(byte, at: index)
                default: bytes.remove(at: index)
                }
            }
            let reading = ClaimsReading(payload: bytes)
            _ = reading.problems(at: Samples.now)
            guard let claims = reading.claims else {
                #expect(!reading.problems.isEmpty)
                continue
            }
            #expect(!claims.authorization.isEmpty)
            #expect(reading.hasWildcard == claims.encoded().contains(UInt8(ascii: "*")))
            #expect(ClaimsReading(payload: claims.encoded()).claims == claims)
        }
    }
}
