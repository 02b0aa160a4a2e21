import TestRandomness
import Testing

@testable import TokenService

/// Replies come from a server that may be hostile, in pieces of any size.
@Suite("Redis replies")
struct RedisReplyReaderTests {
    @Test(
        "A status, an integer and an error are read",
        arguments: [
            ("+OK", RedisReply.status), ("+", .status), (":0", .integer(0)), (":-9223372036854775808", .integer(.min)),
            (":9223372036854775807", .integer(.max)), ("-NOSCRIPT No matching script.", .error(code: "NOSCRIPT")),
            ("-", .error(code: "an error")), ("-lower", .error(code: "an error")),
            ("-" + String(repeating: "A", count: 40), .error(code: String(repeating: "A", count: 32))),
        ]
    )
    func replies(text: String, reply: RedisReply) throws {
        var reader = RedisReplyReader()
        #expect(try reader.read(Array("\(text)\r\n".utf8)) == [reply])
        // The reader is ready for the next one.
        #expect(try reader.read(Array(":7\r\n".utf8)) == [.integer(7)])
    }

    @Test(
        "Any other type, number or line end is invalid",
        arguments: [
            "$3\r\nabc\r\n", "$-1\r\n", "*1\r\n:1\r\n", "*-1\r\n", "%1\r\n", "_\r\n", "#t\r\n", ",1.5\r\n", "(1\r\n",
            "\r\n", "\n", ":\r\n", ":1 \r\n", ": 1\r\n", ":1.0\r\n", ":0x1\r\n", ":9223372036854775808\r\n", ":1\n",
            "+OK\n", "+O\rK\r\n", "+OK\r\r\n", "+\u{E9}\n", "HTTP/1.1 400 Bad Request\r\n", "OK\r\n", ":\u{661}\r\n",
        ]
    )
    func invalid(text: String) {
        var reader = RedisReplyReader()
        #expect(throws: RedisFailure.invalidResponse) { try reader.read(Array(text.utf8)) }
    }

    @Test("A line without an end is bounded")
    func endless() throws {
        var reader = RedisReplyReader()
        let line = [UInt8](repeating: UInt8(ascii: "-"), count: RedisReplyReader.maximumLineSize)
        #expect(try reader.read(line) == [])
        #expect(throws: RedisFailure.invalidResponse) { try reader.read([UInt8(ascii: "-")]) }
    }

    /// What a reader makes of bytes that arrive in pieces.
    private func result(of pieces: [[UInt8]]) -> Result<[RedisReply], RedisFailure> {
        var reader = RedisReplyReader()
        var replies: [RedisReply] = []
        for piece in pieces {
            do throws(RedisFailure) {
                replies += try reader.read(piece)
            } catch {
                return .failure(error)
            }
        }
        return .success(replies)
    }

    @Test("Random bytes give the same replies or the same error, however they are split")
    func random() {
        var random = SeededGenerator(seed: 53)
        let alphabet = Array("+-:$*\r\n\r\n0019 OKERR".utf8) + [0, 0xFF]
        var valid = 0
        for _ in 0..<20_000 {
            let start = Array(
                [":1\r\n", "+OK\r\n", "-ERR x\r\n", ":", ""].randomElement(using: &random)?.utf8 ?? "".utf8
            )
            let rest = (0..<Int.random(in: 0...12, using: &random)).map { _ in
                alphabet[Int.random(in: 0..<alphabet.count, using: &random)]
            }
            let bytes = start + rest
            let cut = Int.random(in: 0...bytes.count, using: &random)
            let whole = result(of: [bytes])
            #expect(whole == result(of: [Array(bytes[..<cut]), Array(bytes[cut...])]))
            #expect(whole == result(of: bytes.map { [$0] }))
            guard case .success(let replies) = whole else { continue }
            #expect(replies.count == bytes.count { $0 == UInt8(ascii: "\n") })
            valid += replies.isEmpty ? 0 : 1
        }
        // Both outcomes occur often.
        #expect((1_000...19_000).contains(valid))
    }
}
