import FleetToken
import StrictCoding
import Testing

@Suite("Errors in Google's error model")
struct TokenErrorTests {
    /// The reasons with each status, as docs/openapi.yaml has them.
    private static let statuses: [(code: Int, status: String, reasons: [String])] = [
        (
            400, "INVALID_ARGUMENT",
            [
                "UNKNOWN_KIND", "MISSING_ID", "INVALID_ID", "UNEXPECTED_ID", "INVALID_LIFETIME", "INVALID_QUERY",
                "INVALID_PATH", "INVALID_BODY", "MALFORMED_REQUEST", "MULTIPLE_CREDENTIALS",
            ]
        ),
        (401, "UNAUTHENTICATED", ["UNAUTHENTICATED", "INVALID_CREDENTIALS"]),
        (403, "PERMISSION_DENIED", ["HOST_NOT_ALLOWED", "KIND_NOT_GRANTED", "ID_NOT_GRANTED"]),
        (404, "NOT_FOUND", ["NOT_FOUND"]), (405, "UNIMPLEMENTED", ["METHOD_NOT_ALLOWED"]),
        (408, "DEADLINE_EXCEEDED", ["REQUEST_TIMEOUT"]), (413, "INVALID_ARGUMENT", ["BODY_TOO_LARGE"]),
        (414, "INVALID_ARGUMENT", ["TARGET_TOO_LONG"]), (415, "INVALID_ARGUMENT", ["UNSUPPORTED_MEDIA_TYPE"]),
        (429, "RESOURCE_EXHAUSTED", ["RATE_LIMITED"]), (431, "INVALID_ARGUMENT", ["HEADERS_TOO_LARGE"]),
        (500, "INTERNAL", ["INTERNAL"]), (501, "UNIMPLEMENTED", ["UNSUPPORTED_CODING"]),
        (
            503, "UNAVAILABLE",
            [
                "AUTHENTICATION_UNAVAILABLE", "OVERLOADED", "AUTHORIZATION_UNAVAILABLE", "SIGNER_UNAVAILABLE",
                "CLOCK_UNAVAILABLE", "AUDIT_UNAVAILABLE",
            ]
        ),
    ]

    @Test("The body of each reason has its code and status")
    func bodies() {
        let rows = Self.statuses.flatMap { row in row.reasons.map { (row.code, row.status, $0) } }
        #expect(Set(rows.map(\.2)) == Set(TokenError.Reason.all.map(\.rawValue)))
        #expect(Set(TokenError.Reason.all).count == TokenError.Reason.all.count)
        for (code, status, name) in rows {
            guard let reason = TokenError.Reason.all.first(where: { $0.rawValue == name }) else { continue }
            let body = TokenError(reason, "Do this.", retryAfter: 5).encoded(requestID: "req-1")
            let expected = """
                {"error":{"code":\(code),"status":"\(status)","message":"Do this.","details":[{\
                "@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"\(name)","domain":"fleet-token",\
                "metadata":{"requestId":"req-1"}}]}}
                """
            #expect(String(decoding: body, as: UTF8.self) == expected)
        }
    }

    @Test(
        "Hostile text stays inside its JSON string",
        arguments: [
            "a\r\nSet-Cookie: x", "\"},\"code\":200,\"x\":{\"", "\u{1B}[2J", "\u{202E}", "\u{0}", "</script>", "\\",
        ]
    )
    func hostileText(text: String) throws {
        let body = TokenError(.internal, text).encoded(requestID: text)
        #expect(body.allSatisfy { (0x20..<0x7F).contains($0) })
        let error = try #require(try JSONParser.parse(body).objectValue?["error"]?.objectValue)
        #expect(error.names == ["code", "status", "message", "details"])
        #expect(error["message"] == .string(text))
        let metadata = error["details"]?.arrayValue?.first?.objectValue?["metadata"]?.objectValue
        #expect(metadata?["requestId"] == .string(text))
        #expect(metadata?.names == ["requestId"])
    }

    @Test("The description is the reason and the message")
    func description() {
        #expect("\(TokenError(.rateLimited, "Try again.", retryAfter: 5))" == "RATE_LIMITED: Try again.")
    }
}
