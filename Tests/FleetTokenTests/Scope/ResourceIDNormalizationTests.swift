import FleetToken
import Foundation
import TestTools
import Testing

/// Compares the check of NFC with Foundation's normalizer, which is another implementation on Linux.
struct ResourceIDNormalizationTests {
    private static let scalars = (UInt32(0)...0x10FFFF).compactMap { Unicode.Scalar($0) }

    /// All scalars that an ID may contain, as of a version of Unicode that Foundation knows.
    private static let allowed = scalars.filter { ResourceID.allows($0) && ($0.properties.age?.major ?? 99) <= 14 }

    /// Scalars that compose with others, or change their order.
    private static let marks = allowed.filter { scalar in
        scalar.properties.canonicalCombiningClass != .notReordered || (0x1161...0x11C2).contains(scalar.value)
            || [.nonspacingMark, .spacingMark].contains(scalar.properties.generalCategory)
    }

    private func isNormalized(_ text: String) -> Bool {
        text.precomposedStringWithCanonicalMapping.utf8.elementsEqual(text.utf8)
    }

    @Test
    func `A scalar is accepted if and only if it is normalized`() {
        for scalar in Self.allowed where !scalar.properties.isWhitespace {
            #expect(
                ((try? ResourceID(String(scalar))) != nil) == isNormalized(String(scalar)) || scalar == ".",
                "\(scalar.value)"
            )
        }
    }

    @Test
    func `A random string is accepted if and only if it is normalized`() throws {
        var generator = SeededGenerator(seed: 1)
        var accepted = 0
        for _ in 0..<20_000 {
            let scalars = (0..<Int.random(in: 2...5, using: &generator)).compactMap { _ in
                (generator.chance(0.5) ? Self.marks : Self.allowed).randomElement(using: &generator)
            }
            let text = "a" + String(String.UnicodeScalarView(scalars)) + "z"
            let isAccepted = (try? ResourceID(text)) != nil
            #expect(isAccepted == isNormalized(text), "\(text.unicodeScalars.map(\.value))")
            if isAccepted { accepted += 1 }
        }
        #expect((2_000..<19_500).contains(accepted))
    }

    /// Hangul syllables compose from two and three letters, and Kirat Rai vowels from two.
    @Test
    func `A string that composes to another one is refused`() {
        for scalar in Self.scalars where scalar.properties.generalCategory == .otherLetter {
            let parts = String(scalar).decomposedStringWithCanonicalMapping
            guard !isNormalized(parts) else { continue }
            #expect(throws: TokenError.self) { try ResourceID(parts) }
        }
        for vowels in ["\u{16D67}\u{16D67}", "\u{16D63}\u{16D67}", "\u{16D63}\u{16D67}\u{16D67}"] {
            #expect(throws: TokenError.self) { try ResourceID(vowels) }
        }
    }
}
