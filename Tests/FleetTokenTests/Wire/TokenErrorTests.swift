import FleetToken
import StrictCoding
import Testing

@Suite struct TokenErrorTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let reason: TokenError.Reason
        let code: Int
        let status: String
        let name: String

        init(_ reason: TokenError.Reason, _ code: Int, _ status: String, _ name: String) {
            self.reason = reason
            self.code = code
            self.status = status
            self.name = name
        }

        var testDescription: String { name }
    }

    static let rows = [
        Row(.unknownKind, 400, "INVALID_ARGUMENT", "UNKNOWN_KIND"),
        Row(.missingID, 400, "INVALID_ARGUMENT", "MISSING_ID"),
        Row(.invalidID, 400, "INVALID_ARGUMENT", "INVALID_ID"),
        Row(.unexpectedID, 400, "INVALID_ARGUMENT", "UNEXPECTED_ID"),
        Row(.invalidLifetime, 400, "INVALID_ARGUMENT", "INVALID_LIFETIME"),
        Row(.invalidQuery, 400, "INVALID_ARGUMENT", "INVALID_QUERY"),
        Row(.invalidPath, 400, "INVALID_ARGUMENT", "INVALID_PATH"),
        Row(.invalidBody, 400, "INVALID_ARGUMENT", "INVALID_BODY"),
        Row(.malformedRequest, 400, "INVALID_ARGUMENT", "MALFORMED_REQUEST"),
        Row(.bodyTooLarge, 413, "INVALID_ARGUMENT", "BODY_TOO_LARGE"),
        Row(.targetTooLong, 414, "INVALID_ARGUMENT", "TARGET_TOO_LONG"),
        Row(.unsupportedMediaType, 415, "INVALID_ARGUMENT", "UNSUPPORTED_MEDIA_TYPE"),
        Row(.headersTooLarge, 431, "INVALID_ARGUMENT", "HEADERS_TOO_LARGE"),
        Row(.notFound, 404, "NOT_FOUND", "NOT_FOUND"),
        Row(.methodNotAllowed, 405, "UNIMPLEMENTED", "METHOD_NOT_ALLOWED"),
        Row(.hostNotAllowed, 403, "PERMISSION_DENIED", "HOST_NOT_ALLOWED"),
        Row(.unauthenticated, 401, "UNAUTHENTICATED", "UNAUTHENTICATED"),
        Row(.invalidCredentials, 401, "UNAUTHENTICATED", "INVALID_CREDENTIALS"),
        Row(.multipleCredentials, 400, "INVALID_ARGUMENT", "MULTIPLE_CREDENTIALS"),
        Row(.unsupportedCoding, 501, "UNIMPLEMENTED", "UNSUPPORTED_CODING"),
        Row(.authenticationUnavailable, 503, "UNAVAILABLE", "AUTHENTICATION_UNAVAILABLE"),
        Row(.kindNotGranted, 403, "PERMISSION_DENIED", "KIND_NOT_GRANTED"),
        Row(.idNotGranted, 403, "PERMISSION_DENIED", "ID_NOT_GRANTED"),
        Row(.rateLimited, 429, "RESOURCE_EXHAUSTED", "RATE_LIMITED"),
        Row(.overloaded, 503, "UNAVAILABLE", "OVERLOADED"),
        Row(.authorizationUnavailable, 503, "UNAVAILABLE", "AUTHORIZATION_UNAVAILABLE"),
        Row(.signerUnavailable, 503, "UNAVAILABLE", "SIGNER_UNAVAILABLE"),
        Row(.internal, 500, "INTERNAL", "INTERNAL"),
    ]

    @Test(arguments: rows)
    func bodyIsGooglesErrorModel(row: Row) {
        let body = TokenError(row.reason, "Do this.", retryAfter: 5).encoded(requestID: "req-1")
        let expected = """
            {"error":{"code":\(row.code),"status":"\(row.status)","message":"Do this.","details":[{\
            "@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"\(row.name)","domain":"fleet-token",\
            "metadata":{"requestId":"req-1"}}]}}
            """
        #expect(String(decoding: body, as: UTF8.self) == expected)
    }

    @Test func reasonsAreDistinct() {
        #expect(Set(Self.rows.map(\.reason)).count == Self.rows.count)
        #expect(Set(Self.rows.map(\.reason.rawValue)).count == Self.rows.count)
    }

    @Test(arguments: [
        "a\r\nSet-Cookie: x", "\"},\"code\":200,\"x\":{\"", "\u{1B}[2J", "\u{202E}", "\u{0}", "</script>", "\\",
    ])
    func hostileTextStaysInsideItsString(text: String) throws {
        let body = TokenError(.internal, text).encoded(requestID: text)
        #expect(body.allSatisfy { (0x20..<0x7F).contains($0) })
        let error = try #require(try JSONParser.parse(body).objectValue?["error"]?.objectValue)
        #expect(error.names == ["code", "status", "message", "details"])
        #expect(error["message"] == .string(text))
        let metadata = error["details"]?.arrayValue?.first?.objectValue?["metadata"]?.objectValue
        #expect(metadata?["requestId"] == .string(text))
        #expect(metadata?.names == ["requestId"])
    }

    @Test func describesItselfInOneLine() {
        let error = TokenError(.rateLimited, "Try again in 5 seconds.", retryAfter: 5)
        #expect("\(error)" == "RATE_LIMITED: Try again in 5 seconds.")
        #expect(error.retryAfter == 5)
        #expect(TokenError(.internal, "x").retryAfter == nil)
    }
}
