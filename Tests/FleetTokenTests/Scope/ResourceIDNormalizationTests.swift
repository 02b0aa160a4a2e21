import FleetToken
import Foundation
import TestRandomness
import Testing

/// Proves for all strings that an accepted ID is in NFC, with Foundation as the judge.
///
/// A string of scalars that are each in NFC changes under NFC only where two of them compose. The second of the two, or
/// what it decomposes into, then stands behind another scalar in some canonical decomposition.
@Suite("Normalization of IDs, with Foundation as the judge")
struct ResourceIDNormalizationTests {
    private static let scalars = (UInt32(0)...0x10FFFF).compactMap { Unicode.Scalar($0) }

    /// All scalars that an ID may hold.
    private static let accepted = scalars.filter { (try? ResourceID("a\($0)", alphabet: .unicode)) != nil }

    /// All scalars that some canonical decomposition has behind another.
    private static let following: Set<Unicode.Scalar> = {
        var following: Set<Unicode.Scalar> = []
        for scalar in scalars where scalar.properties.generalCategory != .unassigned {
            following.formUnion(String(scalar).decomposedStringWithCanonicalMapping.unicodeScalars.dropFirst())
        }
        return following
    }()

    private func bytes(_ string: String) -> [UInt8] { Array(string.utf8) }

    @Test("Foundation knows Unicode 13")
    func judge() {
        // This composition is as young as Unicode 13.
        #expect(bytes("\u{11935}\u{11930}".precomposedStringWithCanonicalMapping) == bytes("\u{11938}"))
        #expect(Self.following.contains("\u{11930}") && Self.following.contains("\u{301}"))
        #expect(Self.following.contains("\u{1161}") && Self.following.contains("\u{11C2}"))
    }

    @Test("More than 120,000 scalars are accepted")
    func acceptedScalars() {
        #expect(Self.accepted.count > 120_000)
    }

    @Test("Each accepted scalar is in NFC")
    func normalized() {
        for scalar in Self.accepted {
            let string = String(scalar)
            #expect(bytes(string.precomposedStringWithCanonicalMapping) == bytes(string))
            #expect(scalar.properties.canonicalCombiningClass == .notReordered)
        }
    }

    @Test("No accepted scalar composes with the one before")
    func composition() {
        for scalar in Self.accepted {
            let first = String(scalar).decomposedStringWithCanonicalMapping.unicodeScalars.first
            #expect(first.map { Self.following.contains($0) } == false, "\(scalar.value)")
        }
    }

    /// Later versions of Unicode may compose new letters, as version 16 did, but never old ones.
    @Test("Each accepted scalar is older than Unicode 14")
    func age() {
        #expect(Self.accepted.allSatisfy { ($0.properties.age?.major ?? 99) <= 13 })
    }

    @Test("Random accepted strings are in NFC")
    func strings() throws {
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<20_000 {
            let scalars = (0..<Int.random(in: 2...5, using: &generator)).compactMap { _ in
                Self.accepted.randomElement(using: &generator)
            }
            let string = String(String.UnicodeScalarView(scalars))
            let id = try ResourceID(string, alphabet: .unicode)
            #expect(bytes(id.rawValue.precomposedStringWithCanonicalMapping) == bytes(string))
        }
    }

    /// Hangul syllables compose from two and three letters, and Kirat Rai vowels from two.
    @Test("Strings that compose are refused")
    func composed() {
        for scalar in Self.scalars where scalar.properties.generalCategory == .otherLetter {
            let string = String(scalar)
            let parts = string.decomposedStringWithCanonicalMapping
            guard parts.unicodeScalars.count > 1 else { continue }
            #expect(throws: TokenError.self) { try ResourceID(parts, alphabet: .unicode) }
        }
        for vowels in ["\u{16D67}\u{16D67}", "\u{16D63}\u{16D67}", "\u{16D63}\u{16D67}\u{16D67}"] {
            #expect(throws: TokenError.self) { try ResourceID(vowels, alphabet: .unicode) }
        }
    }
}
