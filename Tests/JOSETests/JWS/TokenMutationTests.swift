import JOSE
import Testing

/// Nothing that differs from a valid token is one.
struct TokenMutationTests {
    @Test
    func `A token with one flipped bit is refused`() throws {
        let token = try Forge.signed()
        try Forge.verify(token)
        for index in token.indices {
            for bit in 0..<8 {
                var flipped = token
                flipped[index] ^= 1 << bit
                #expect(try Forge.refusal(of: flipped) != nil, "bit \(bit) of byte \(index)")
            }
        }
    }

    @Test
    func `Parts of two tokens make none`() throws {
        let first = try Forge.signed().split(separator: UInt8(ascii: "."))
        let second = try Forge.signed(payload: #"{"iss":"someone","exp":2}"#).split(separator: UInt8(ascii: "."))
        for mixture in [[first[0], second[1], first[2]], [first[0], first[1], second[2]]] {
            #expect(try Forge.refusal(of: Array(mixture.joined(separator: [UInt8(ascii: ".")])))?.code == .badSignature)
        }
    }

    @Test
    func `A signature of another size is refused`() throws {
        let key = try SharedKeys.key()
        for count in [1, 32, 255, 257, 512, 8192] {
            let token = try Forge.token {
                Array((try key.signature(for: $0) + [UInt8](repeating: 0, count: 8192)).prefix(count))
            }
            #expect(try Forge.refusal(of: token)?.code == .badSignature)
        }
        let padded = try Forge.token { [0] + (try key.signature(for: $0)) }
        #expect(try Forge.refusal(of: padded)?.code == .badSignature)
    }
}
