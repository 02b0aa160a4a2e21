import StrictCoding
import TestSupport
import TestTraits
import Testing

@Suite("What is not HTTP gets the error format too, in step with the responses before it", .watchdog)
struct ProtocolErrorTests {
    private static let good = "GET /token/consumer/t HTTP/1.1\r\nHost: localhost\r\n\r\n"
    private static let post = "POST /token HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"

    private static let malformed = [
        "GARBAGE\r\n\r\n",
        "GET / HTTP/9.9\r\nHost: localhost\r\n\r\n",
        "GET /\u{0} HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: localhost\r\nBad Header: x\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: localhost\r\nX: a\u{0}b\r\n\r\n",
        "\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}\r\n\r\n",
        "\(post)Transfer-Encoding: chunked\r\n\r\nzz\r\n",
        "\(post)Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "\(post)Content-Length: abc\r\n\r\n",
        "\(post)Content-Length: -1\r\n\r\n",
    ]

    @Test("A malformed request gets the error format", arguments: malformed)
    func malformedRequestGetsTheErrorFormat(text: String) async throws {
        let answers = try await DevelopmentService.run { port, _ in
            try await HTTPExchange.send(Array(text.utf8), to: port, count: 2)
        }
        #expect(answers.map(\.status) == [400])
        let answer = try #require(answers.first)
        #expect(try answer.reason() == "MALFORMED_REQUEST")
        #expect(answer["connection"] == "close")
        #expect(answer["cache-control"] == "no-store")
        #expect(answer["date"]?.hasSuffix(" GMT") == true)
        let details = try answer.json()["error"]?.objectValue?["details"]?.arrayValue?.first?.objectValue
        let requestID = try #require(details?["metadata"]?.objectValue?["requestId"]?.stringValue)
        #expect(requestID == answer["x-request-id"])
    }

    @Test("The request after a body that is too large is served")
    func bodyBeyondTheLimitDoesNotDisturbTheNextRequest() async throws {
        let large = Self.post + "Content-Length: 40000\r\n\r\n" + String(repeating: " ", count: 40000)
        let answers = try await DevelopmentService.run { port, _ in
            try await HTTPExchange.send(Array((large + Self.good).utf8), to: port, count: 2)
        }
        #expect(answers.map(\.status) == [413, 200])
    }
}
