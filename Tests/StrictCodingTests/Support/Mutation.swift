import TestRandomness

extension [UInt8] {
    /// Damages a text: a few bytes changed, inserted, removed, repeated or cut off.
    mutating func mutate(using generator: inout SeededGenerator) {
        let interesting = Array("{}[]\",:\\u0019.eE+-* \u{0}\u{7F}é*😀".utf8) + [0x80, 0xC3, 0xED, 0xF4, 0xFF]
        for _ in 0..<Int.random(in: 1...3, using: &generator) {
            let index = Int.random(in: 0...count, using: &generator)
            let byte = interesting[Int.random(in: interesting.indices, using: &generator)]
            switch Int.random(in: 0..<6, using: &generator) {
            case 0: insert(byte, at: index)
            case 1 where index < count: self[index] = byte
            case 2 where index < count: self[index] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
            case 3 where index < count: remove(at: index)
            case 4: removeSubrange(index...)
            default: insert(contentsOf: suffix(from: index).prefix(8), at: index)
            }
        }
    }
}
