import TestRandomness

/// Damages bytes at random, as a bad disk, a careless editor or an attacker would.
enum Mutation {
    static func mutate(_ bytes: [UInt8], using generator: inout SeededGenerator) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 1...3, using: &generator) where !bytes.isEmpty {
            let index = Int.random(in: bytes.indices, using: &generator)
            let end = min(bytes.count, index + Int.random(in: 1...20, using: &generator))
            switch Int.random(in: 0..<6, using: &generator) {
            case 0: bytes[index] = UInt8.random(in: .min ... .max, using: &generator)
            case 1: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
            case 2: bytes.insert(UInt8.random(in: .min ... .max, using: &generator), at: index)
            case 3: bytes.removeSubrange(index..<end)
            case 4: bytes.insert(contentsOf: bytes[index..<end], at: index)
            default: bytes.removeSubrange(index...)
            }
        }
        return bytes
    }
}
