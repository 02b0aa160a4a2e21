extension SeededGenerator {
    /// The bytes, damaged in one to three places.
    public mutating func damage(_ bytes: [UInt8]) -> [UInt8] {
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
