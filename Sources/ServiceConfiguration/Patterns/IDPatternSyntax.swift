import FleetToken

/// A pattern as it was written.
indirect enum IDPatternSyntax {
    case byte(Set<UInt8>)
    /// One after the other.
    case sequence([IDPatternSyntax])
    /// One or another.
    case alternatives([IDPatternSyntax])
    /// A number of times.
    case repeated(IDPatternSyntax, ClosedRange<Int>)
    /// At least once.
    case repeatedEndlessly(IDPatternSyntax)

    /// The ASCII characters that an ID may have.
    static let idBytes = (0..<128 as Range<UInt8>).filter { byte in
        // After a letter, because a dot alone is not a valid ID.
        (try? ResourceID("a\(Unicode.Scalar(byte))", alphabet: .ascii)) != nil
    }

    /// How many bytes it names, with everything that is repeated a number of times written out.
    var size: Int {
        switch self {
        case .byte: 1
        case .sequence(let parts), .alternatives(let parts): parts.reduce(0) { $0 + $1.size }
        case .repeated(let part, let times): part.size * times.upperBound
        case .repeatedEndlessly(let part): part.size
        }
    }
}
