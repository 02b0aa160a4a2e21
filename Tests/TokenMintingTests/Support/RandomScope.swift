import FleetToken
import TestRandomness
import TestTraits
import Testing

@testable import TestSupport

/// A row of the table of kinds with other IDs, drawn at random, and the claims that it must lead to.
struct RandomScope {
    let scope: TokenScope
    let authorization: [String: VerifiedToken.Value]

    init(using generator: inout SeededGenerator) throws {
        let row = try #require(KindCase.all.randomElement(using: &generator))
        // The number in front keeps the tasks of a batch apart.
        let count = Int.random(in: 1...50, using: &generator)
        let id = Self.id(using: &generator)
        let task = Self.id(using: &generator)
        let batch = (0..<count).map { "\($0)-" + Self.id(upTo: 20, using: &generator) }
        let isBatch = row.request["taskIds"] != nil
        let tasks = isBatch ? batch : row.tasks.isEmpty ? [] : [task]
        scope = try TokenScope(
            kind: try #require(TokenKind(rawValue: row.kind)),
            id: row.id == nil ? nil : id,
            taskIDs: tasks,
            alphabet: .unicode
        )
        authorization = row.claims.mapValues { value in
            switch value {
            case .text("*"): value
            case .text(let text): .text(text == row.id ? id : task)
            case .list: .list(batch)
            }
        }
    }

    private static let letters = Array("abcXYZ019._~-@=+$!()éüñßŁЖдяΩλ中文字한글あア០१𝟘".unicodeScalars)

    private static func id(upTo length: Int = 64, using generator: inout SeededGenerator) -> String {
        var id = "x"
        for _ in 1..<Int.random(in: 1...length, using: &generator) {
            if let letter = letters.randomElement(using: &generator) { id.unicodeScalars.append(letter) }
        }
        return id
    }
}
