import StrictCoding
import TestSupport
import TestTraits
import Testing

/// Everything that is not a good request gets the one error format, with a message that says what to do.
@Suite(DevelopmentService.Shared(), .watchdog)
struct RefusalTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let request: String
        let status: Int
        let reason: String
        let headers: [String]
        let body: String?

        var testDescription: String { "\(request.prefix(60)) \(body?.prefix(60) ?? "")" }

        init(_ request: String, _ status: Int, reason: String, headers: [String] = [], body: String? = nil) {
            self.request = request
            self.status = status
            self.reason = reason
            self.headers = headers
            self.body = body
        }
    }

    private static let json = ["Content-Type: application/json"]

    static let paths: [Case] = [
        Case("GET /tokens/driver/x", 404, reason: "NOT_FOUND"),
        Case("GET //token/driver/x", 404, reason: "NOT_FOUND"),
        Case("GET /.well-known/other", 404, reason: "NOT_FOUND"),
        Case("GET /token/pilot/x", 400, reason: "UNKNOWN_KIND"),
        Case("GET /token/*/x", 400, reason: "UNKNOWN_KIND"),
        Case("GET /token//x", 400, reason: "UNKNOWN_KIND"),
        Case("GET /token/driver", 400, reason: "MISSING_ID"),
        Case("GET /token/driver/", 400, reason: "MISSING_ID"),
        Case("GET /token/driver/a/b", 400, reason: "INVALID_ID"),
        Case("GET /token/driver/a/", 400, reason: "INVALID_ID"),
        Case("GET /token/server/x", 400, reason: "UNEXPECTED_ID"),
        Case("GET /token/driver/%", 400, reason: "INVALID_PATH"),
        Case("GET /token/driver/%4", 400, reason: "INVALID_PATH"),
        Case("GET /token/driver/%zz", 400, reason: "INVALID_PATH"),
        Case("GET /token/driver/%ff", 400, reason: "INVALID_PATH"),
        Case("GET /token/driver/%C0%AF", 400, reason: "INVALID_PATH"),
        Case("GET /token/driver/x?lifetime=900", 400, reason: "INVALID_QUERY"),
        Case("GET /token/driver/x?access_token=abc", 400, reason: "INVALID_QUERY"),
        Case(
            "GET /token/driver/x?lifetimeSeconds=900&lifetimeSeconds=901",
            400,
            reason: "INVALID_QUERY"
        ),
        Case("GET /token/driver/x?lifetimeSeconds=599", 400, reason: "INVALID_LIFETIME"),
        Case("GET /token/driver/x?lifetimeSeconds=3541", 400, reason: "INVALID_LIFETIME"),
        Case("GET /token/driver/x?lifetimeSeconds=", 400, reason: "INVALID_LIFETIME"),
        Case("GET /token/driver/x?lifetimeSeconds=+900", 400, reason: "INVALID_LIFETIME"),
        Case("GET /token/driver/x?lifetimeSeconds=9e2", 400, reason: "INVALID_LIFETIME"),
        Case(
            "GET /token/driver/x?lifetimeSeconds=99999999999999999999",
            400,
            reason: "INVALID_LIFETIME"
        ),
        Case("GET /token/driver/x?taskId=t", 400, reason: "UNEXPECTED_ID"),
        Case("GET /token/delivery_server?taskId=t", 400, reason: "UNEXPECTED_ID"),
        Case("GET /token/trusted_delivery_driver/v?taskId=*", 400, reason: "INVALID_ID"),
        Case("GET /token/driver/\(String(repeating: "a", count: 65))", 400, reason: "INVALID_ID"),
        Case(
            "GET /token/driver/\(String(repeating: "a", count: 3000))",
            414,
            reason: "TARGET_TOO_LONG"
        ),
        Case(
            "GET /token/driver/\(String(repeating: "a", count: 20000))",
            431,
            reason: "HEADERS_TOO_LARGE"
        ),
        Case(
            "GET /token/driver/x",
            431,
            reason: "HEADERS_TOO_LARGE",
            headers: ["X-Large: \(String(repeating: "a", count: 20000))"]
        ),
        Case(
            "GET /token/driver/x",
            431,
            reason: "HEADERS_TOO_LARGE",
            headers: (0..<200).map { "X-\($0): a" }
        ),
        Case("GET /token/driver/x", 403, reason: "HOST_NOT_ALLOWED", headers: ["Host: evil.example"]),
        Case(
            "GET /token/driver/x",
            403,
            reason: "HOST_NOT_ALLOWED",
            headers: ["Host: localhost.evil.example"]
        ),
        Case(
            "GET /token/driver/x",
            400,
            reason: "MALFORMED_REQUEST",
            headers: ["Host: localhost:80@evil"]
        ),
        Case(
            "GET /token/driver/x",
            400,
            reason: "MALFORMED_REQUEST",
            headers: ["Host: localhost", "Host: evil.example"]
        ),
    ]

    /// Published faults D3, D7 and tests A1, A4: each ID that Google's servers took is refused, in whatever spelling.
    static let ids: [Case] = [
        "*", "%2A", "%252A", "%20*", "*%20", "**", "%EF%BC%8A", "*%EF%B8%8F", "..", ".", "%2e%2e", "..%2fserver",
        "a%2fb", "a%2Fb", "a%5Cb", "a%00b", "a%0Ab", "a%0D%0Ab", "a:b", "a,b", "a%23b", "a%3Fb", "a;b", "a%20b",
        "caf%C3%A9", "cafe%CC%81", "%D0%B0bc", "%E2%80%AEx", "%EF%BB%BFx", "%22", "%7B%7Bclaims.sub%7D%7D", "null%00",
        "%3Cscript%3E", "a%25b", "%20", "'", "a&b",
    ].map { Case("GET /token/driver/\($0)", 400, reason: "INVALID_ID") }

    static let bodies: [Case] =
        [
            ("", "INVALID_BODY"),
            ("[]", "INVALID_BODY"),
            ("null", "INVALID_BODY"),
            (#"{"kind":"consumer","tripId":"t""#, "INVALID_BODY"),
            (#"{"kind":"consumer","kind":"server","tripId":"t"}"#, "INVALID_BODY"),
            (#"{"kind":"consumer","tripId":"t","\u0074ripId":"u"}"#, "INVALID_BODY"),
            (#"{"tripId":"t"}"#, "UNKNOWN_KIND"),
            (#"{"kind":"pilot","tripId":"t"}"#, "UNKNOWN_KIND"),
            (#"{"kind":7}"#, "INVALID_BODY"),
            (#"{"kind":"consumer"}"#, "MISSING_ID"),
            (#"{"kind":"consumer","tripId":""}"#, "MISSING_ID"),
            (#"{"kind":"consumer","tripId":7}"#, "INVALID_BODY"),
            (#"{"kind":"consumer","tripId":null}"#, "INVALID_BODY"),
            (#"{"kind":"consumer","tripId":["t"]}"#, "INVALID_BODY"),
            (#"{"kind":"consumer","vehicleId":"v"}"#, "INVALID_BODY"),
            (#"{"kind":"consumer","tripId":"t","vehicleId":"v"}"#, "INVALID_BODY"),
            (#"{"kind":"consumer","tripId":"*"}"#, "INVALID_ID"),
            (#"{"kind":"consumer","tripId":"\u002a"}"#, "INVALID_ID"),
            (#"{"kind":"consumer","tripId":"\ud800"}"#, "INVALID_BODY"),
            (#"{"kind":"consumer","tripId":"t\u0000"}"#, "INVALID_ID"),
            (#"{"kind":"delivery_consumer","taskId":"t"}"#, "INVALID_BODY"),
            (#"{"kind":"delivery_server","taskIds":[]}"#, "INVALID_BODY"),
            (#"{"kind":"delivery_server","taskIds":"a"}"#, "INVALID_BODY"),
            (#"{"kind":"delivery_server","taskIds":["a",7]}"#, "INVALID_BODY"),
            (#"{"kind":"delivery_server","taskIds":["*"]}"#, "INVALID_ID"),
            (#"{"kind":"delivery_server","taskIds":["a","a"]}"#, "INVALID_ID"),
            (
                #"{"kind":"delivery_server","taskIds":[\#((0...50).map { #""t\#($0)""# }.joined(separator: ","))]}"#,
                "INVALID_ID"
            ),
            (#"{"kind":"server","tripId":"t"}"#, "INVALID_BODY"),
            (#"{"kind":"consumer","tripId":"t","lifetimeSeconds":"900"}"#, "INVALID_LIFETIME"),
            (#"{"kind":"consumer","tripId":"t","lifetimeSeconds":900.0}"#, "INVALID_LIFETIME"),
            (#"{"kind":"consumer","tripId":"t","lifetimeSeconds":1e400}"#, "INVALID_LIFETIME"),
            (#"{"kind":"consumer","tripId":"t","lifetimeSeconds":-1}"#, "INVALID_LIFETIME"),
            (String(repeating: "[", count: 10000), "INVALID_BODY"),
        ].map { Case("POST /token", 400, reason: $0.1, headers: json, body: $0.0) } + [
            Case("POST /token", 415, reason: "UNSUPPORTED_MEDIA_TYPE", body: "{}"),
            Case(
                "POST /token",
                415,
                reason: "UNSUPPORTED_MEDIA_TYPE",
                headers: ["Content-Type: text/plain"],
                body: #"{"kind":"server"}"#
            ),
            Case(
                "POST /token",
                413,
                reason: "BODY_TOO_LARGE",
                headers: json,
                body: String(repeating: " ", count: 20000)
            ),
            Case(
                "POST /token/delivery_server",
                400,
                reason: "INVALID_BODY",
                headers: json,
                body: #"{"kind":"server"}"#
            ),
            Case(
                "POST /token/server",
                400,
                reason: "INVALID_BODY",
                headers: json,
                body: #"{"taskIds":["a"]}"#
            ),
        ]

    @Test("An invalid request gets its status and reason", arguments: paths + ids + bodies)
    func badRequestGetsItsReason(refused: Case) async throws {
        let parts = refused.request.split(separator: " ", maxSplits: 1).map(String.init)
        let answer = try await DevelopmentService.request(
            parts[0],
            parts[1],
            headers: refused.headers,
            body: refused.body
        )
        #expect(answer.status == refused.status)
        #expect(try answer.reason() == refused.reason)
        let error = try #require(try answer.json()["error"]?.objectValue)
        #expect(error["code"]?.integerValue == Int64(refused.status))
        #expect(error["message"]?.stringValue?.isEmpty == false)
        let details = try #require(error["details"]?.arrayValue?.first?.objectValue)
        #expect(details["@type"] == .string("type.googleapis.com/google.rpc.ErrorInfo"))
        #expect(details["domain"] == .string("fleet-token"))
        #expect(details["metadata"]?.objectValue?["requestId"]?.stringValue == answer["x-request-id"])
    }

    static let methods: [(request: String, allow: String)] = [
        ("POST /token/driver/x", "GET, OPTIONS"),
        ("HEAD /token/driver/x", "GET, OPTIONS"),
        ("DELETE /token/server", "GET, POST, OPTIONS"),
        ("GET /token", "POST, OPTIONS"),
        ("GET /token/", "POST, OPTIONS"),
        ("PUT /.well-known/jwks.json", "GET, HEAD, OPTIONS"),
        ("PROPFIND /token/driver/x", "GET, OPTIONS"),
    ]

    @Test("An unsupported method gets 405 with the allowed ones", arguments: methods)
    func otherMethodGetsTheAllowedOnes(request: String, allow: String) async throws {
        let parts = request.split(separator: " ").map(String.init)
        let answer = try await DevelopmentService.request(parts[0], parts[1])
        #expect(answer.status == 405)
        #expect(answer["allow"] == allow)
        if parts[0] != "HEAD" { #expect(try answer.reason() == "METHOD_NOT_ALLOWED") }
    }
}
