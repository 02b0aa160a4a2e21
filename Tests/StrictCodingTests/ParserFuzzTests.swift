import StrictCoding
import TestRandomness
import Testing

/// Damaged input must be read or refused, never crash.
@Suite("Damaged input")
struct ParserFuzzTests {
    private static let documents = [
        #"{"iss":"a@b","sub":"a@b","aud":"https://x/","iat":1,"exp":3601,"authorization":{"tripid":"t\u002d1"}}"#,
        #"{"keys":[{"kty":"RSA","n":"0vx7","e":"AQAB","kid":"\ud83d\ude00"}],"x":[1.5e-3,-0,true,false,null]}"#,
        #"[[[[[[[[[[[[[[[["deep"]]]]]]]]]]]]]]]]"#,
        #"{"é":"caf\u00e9","😀":"\\\"\/\b\f\n\r\t"}"#,
    ]

    @Test("Damaged JSON is refused, or read as what it says", arguments: documents)
    func json(document: String) throws {
        var generator = SeededGenerator(seed: 42)
        var outcomes = (read: 0, refused: 0)
        for _ in 0..<3000 {
            var bytes = Array(document.utf8)
            bytes.mutate(using: &generator)
            do {
                let value = try JSONParser.parse(bytes)
                var writer = JSONWriter()
                writer.value(value)
                #expect(try JSONParser.parse(writer.bytes) == value)
                outcomes.read += 1
            } catch {
                #expect((0...bytes.count).contains(error.offset))
                outcomes.refused += 1
            }
        }
        #expect(outcomes.read > 0 && outcomes.refused > 0)
    }

    @Test("Noise is refused or read")
    func noise() {
        var generator = SeededGenerator(seed: 43)
        for _ in 0..<5000 {
            let count = Int.random(in: 0..<40, using: &generator)
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
            _ = try? JSONParser.parse(bytes)
            if let decoded = try? Base64URL.decode(bytes) {
                #expect(Base64URL.encode(decoded) == bytes)
            }
        }
    }

    @Test("Accepted base64url is the only spelling")
    func base64URL() {
        let alphabet = Array("AQgwZz09-_=+/ \n".utf8)
        var generator = SeededGenerator(seed: 44)
        var accepted = 0
        for _ in 0..<5000 {
            let text = (0..<Int.random(in: 0..<9, using: &generator)).compactMap { _ in
                alphabet.randomElement(using: &generator)
            }
            guard let decoded = try? Base64URL.decode(text) else { continue }
            accepted += 1
            #expect(Base64URL.encode(decoded) == text)
        }
        #expect(accepted > 100)
    }
}
