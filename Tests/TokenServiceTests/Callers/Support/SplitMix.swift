/// The same numbers for the same seed, so that a failure can be repeated.
struct SplitMix: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// The bytes, damaged in one to three places.
    mutating func damage(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 1...3, using: &self) where !bytes.isEmpty {
            let index = Int.random(in: bytes.indices, using: &self)
            let end = min(bytes.count, index + Int.random(in: 1...20, using: &self))
            switch Int.random(in: 0..<6, using: &self) {
            case 0: bytes[index] = .random(in: .min ... .max, using: &self)
            case 1: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &self)
            case 2: bytes.insert(.random(in: .min ... .max, using: &self), at: index)
            case 3: bytes.removeSubrange(index..<end)
            case 4: bytes.insert(contentsOf: bytes[index..<end], at: index)
            default: bytes.removeSubrange(index...)
            }
        }
        return bytes
    }
}
