import FleetToken
import TestTools
import Testing

struct WildcardTests {
    private static let pieces = [
        "*", "＊", "∗", "⁎", "﹡", "%2A", "%2a", "\u{FE0F}", "\u{301}", "\u{200B}", " ", "a", "\"", "\\u002a", "\\", ",",
        "\0", "[\"*\"]", "null", "{}", "é", "\u{202E}", "any", "all", "",
    ]

    private func text(_ generator: inout SeededGenerator) -> String {
        (0..<Int.random(in: 0..<4, using: &generator)).compactMap { _ in
            Self.pieces.randomElement(using: &generator)
        }.joined()
    }

    @Test(arguments: TokenKind.allCases)
    func `No input of a caller becomes a wildcard`(kind: TokenKind) throws {
        var generator = SeededGenerator(seed: UInt64(kind.rawValue.utf8.count))
        var made = 0
        for _ in 0..<2000 {
            let id = kind.isPrivileged ? nil : text(&generator)
            let tasks = (0..<Int.random(in: kind == .deliveryServer ? 1..<4 : 0..<2, using: &generator)).map { _ in
                text(&generator)
            }
            guard !kind.isPrivileged || !tasks.isEmpty,
                let scope = try? TokenScope(kind: kind, id: id, taskIDs: tasks)
            else { continue }
            made += 1
            #expect(!scope.claims.contains { $0.value == .every })
            let claims = FleetClaims(issuer: Samples.issuer, scope: scope, lifetime: .default, now: Samples.now)
            #expect(!claims.encoded().contains(UInt8(ascii: "*")))
            #expect(!ClaimsReading(payload: claims.encoded()).hasWildcard)
        }
        // Privileged kinds take no text at all, but for the batch.
        #expect((made > 0) == (kind == .deliveryServer || !kind.isPrivileged))
    }
}
