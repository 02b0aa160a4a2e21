/// A set of numbers below 256.
struct PositionSet: Hashable, Sendable {
    static let capacity = 256

    private var words = SIMD4<UInt64>()

    init() {}

    private init(words: SIMD4<UInt64>) {
        self.words = words
    }

    var isEmpty: Bool { words == .zero }

    mutating func insert(_ position: Int) {
        words[position / 64] |= 1 << UInt64(position % 64)
    }

    mutating func formUnion(_ other: Self) {
        words |= other.words
    }

    func union(_ other: Self) -> Self {
        Self(words: words | other.words)
    }

    func intersection(_ other: Self) -> Self {
        Self(words: words & other.words)
    }
}

extension PositionSet: Sequence {
    /// Walks the members in ascending order.
    struct Iterator: IteratorProtocol {
        fileprivate var rest: SIMD4<UInt64>
        private var word = 0

        fileprivate init(rest: SIMD4<UInt64>) {
            self.rest = rest
        }

        mutating func next() -> Int? {
            while word < rest.scalarCount {
                let bits = rest[word]
                if bits != 0 {
                    rest[word] = bits & (bits - 1)
                    return word * 64 + bits.trailingZeroBitCount
                }
                word += 1
            }
            return nil
        }
    }

    func makeIterator() -> Iterator {
        Iterator(rest: words)
    }
}
