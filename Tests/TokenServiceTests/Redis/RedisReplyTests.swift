import Testing

@testable import TokenService

/// Lines come from a server that may be hostile.
@Suite("Redis replies")
struct RedisReplyTests {
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
        #expect(try RedisReply(line: Array(text.utf8)) == reply)
    }

    @Test(
        "Any other type or number is invalid",
        arguments: [
            "$3", "$-1", "*1", "*-1", "%1", "_", "#t", ",1.5", "(1", "", ":", ":1 ", ": 1", ":1.0", ":0x1",
            ":9223372036854775808", "HTTP/1.1 400 Bad Request", "OK", ":\u{661}",
        ]
    )
    func invalid(text: String) {
        #expect(throws: RedisFailure.invalidResponse) { try RedisReply(line: Array(text.utf8)) }
    }
}
