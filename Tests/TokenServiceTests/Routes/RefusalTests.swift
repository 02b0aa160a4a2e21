import FleetToken
import TestSupport
import TestTools
import Testing

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

    private static func longPath(_ count: Int) -> String { "/token/driver/" + String(repeating: "a", count: count) }

    private static func each(_ status: Int, _ reason: String, of targets: [String], at path: String = "") -> [Case] {
        targets.map { Case("GET \(path)\($0)", status, reason: reason) }
    }

    private static let lifetimes = ["599", "3541", "", "+900", "9e2", "99999999999999999999"]
    private static let queries = ["lifetime=900", "access_token=abc", "lifetimeSeconds=900&lifetimeSeconds=901"]

    static let paths: [Case] = [
        each(404, "NOT_FOUND", of: ["/tokens/driver/x", "//token/driver/x", "/.well-known/other"]),
        each(400, "UNKNOWN_KIND", of: ["/token/pilot/x", "/token/*/x", "/token//x"]),
        each(400, "MISSING_ID", of: ["/token/driver", "/token/driver/"]),
        each(400, "INVALID_ID", of: ["/token/driver/a/b", "/token/driver/a/", longPath(65)]),
        each(400, "INVALID_ID", of: ["/token/trusted_delivery_driver/v?taskId=*"]),
        each(400, "UNEXPECTED_ID", of: ["server/x", "driver/x?taskId=t", "delivery_server?taskId=t"], at: "/token/"),
        each(400, "INVALID_PATH", of: ["%", "%4", "%zz", "%ff", "%C0%AF"], at: "/token/driver/"),
        each(400, "INVALID_QUERY", of: queries, at: "/token/driver/x?"),
        each(400, "INVALID_QUERY", of: ["/?x=1", "/health?x=1"]),
        each(400, "INVALID_LIFETIME", of: lifetimes, at: "/token/driver/x?lifetimeSeconds="),
        each(414, "TARGET_TOO_LONG", of: [longPath(3000), "http://localhost\(longPath(3000))"]),
        each(431, "HEADERS_TOO_LARGE", of: [longPath(20000)]),
    ].flatMap(\.self)

    private static let wrongFields: [(Int, String, [String])] = [
        (431, "HEADERS_TOO_LARGE", ["X-Large: " + String(repeating: "a", count: 20000)]),
        (431, "HEADERS_TOO_LARGE", (0..<10).map { "X-\($0): " + String(repeating: "y", count: 1700) }),
        (431, "HEADERS_TOO_LARGE", (0..<200).map { "X-\($0): a" }),
        (403, "HOST_NOT_ALLOWED", ["Host: evil.example"]),
        (403, "HOST_NOT_ALLOWED", ["Host: localhost.evil.example"]),
        (400, "MALFORMED_REQUEST", ["Host: localhost:80@evil"]),
        (400, "MALFORMED_REQUEST", ["Host: localhost", "Host: evil.example"]),
    ]

    static let fields: [Case] = wrongFields.map { Case("GET /token/driver/x", $0, reason: $1, headers: $2) }

    /// Each ID that acts as something else is refused, in whatever spelling.
    static let ids: [Case] = [
        "*", "%2A", "%252A", "%20*", "*%20", "**", "%EF%BC%8A", "*%EF%B8%8F", "..", ".", "%2e%2e", "..%2fserver",
        "a%2fb", "a%2Fb", "a%5Cb", "a%00b", "a%0Ab", "a%0D%0Ab", "a:b", "a,b", "a%23b", "a%3Fb", "%20b",
        "cafe%CC%81", "%E2%80%AEx", "%EF%BB%BFx", "null%00", "a%252Fb", "%20", "v%2d1*", "v-1%2F",
    ].map { Case("GET /token/driver/\($0)", 400, reason: "INVALID_ID") }

    private static let wrongBodies: [(String, [String])] =
        [
            (
                "INVALID_BODY",
                [
                    "", "[]", "null", String(repeating: "[", count: 10000), #"{"kind":7}"#,
                    #"{"kind":"consumer","tripId":"t""#, #"{"kind":"consumer","kind":"server","tripId":"t"}"#,
                    #"{"kind":"consumer","tripId":"t","\u0074ripId":"u"}"#, #"{"kind":"consumer","tripId":7}"#,
                    #"{"kind":"consumer","tripId":null}"#, #"{"kind":"consumer","tripId":["t"]}"#,
                    #"{"kind":"consumer","vehicleId":"v"}"#, #"{"kind":"consumer","tripId":"t","vehicleId":"v"}"#,
                    #"{"kind":"consumer","tripId":"\ud800"}"#, #"{"kind":"delivery_consumer","taskId":"t"}"#,
                    #"{"kind":"delivery_server","taskIds":[]}"#, #"{"kind":"delivery_server","taskIds":"a"}"#,
                    #"{"kind":"delivery_server","taskIds":["a",7]}"#, #"{"kind":"server","tripId":"t"}"#,
                ]
            ),
            ("UNKNOWN_KIND", [#"{"tripId":"t"}"#, #"{"kind":"pilot","tripId":"t"}"#]),
            ("MISSING_ID", [#"{"kind":"consumer"}"#, #"{"kind":"consumer","tripId":""}"#]),
            (
                "INVALID_ID",
                [
                    #"{"kind":"consumer","tripId":"*"}"#, #"{"kind":"consumer","tripId":"\u002a"}"#,
                    #"{"kind":"consumer","tripId":"t\u0000"}"#, #"{"kind":"delivery_server","taskIds":["*"]}"#,
                    #"{"kind":"delivery_server","taskIds":["a","a"]}"#,
                ]
            ),
            (
                "INVALID_LIFETIME",
                [
                    #"{"kind":"consumer","tripId":"t","lifetimeSeconds":"900"}"#,
                    #"{"kind":"consumer","tripId":"t","lifetimeSeconds":900.0}"#,
                    #"{"kind":"consumer","tripId":"t","lifetimeSeconds":1e400}"#,
                    #"{"kind":"consumer","tripId":"t","lifetimeSeconds":-1}"#,
                ]
            ),
        ]

    static let bodies: [Case] =
        wrongBodies.flatMap { reason, bodies in
            bodies.map { Case("POST /token", 400, reason: reason, headers: json, body: $0) }
        }

    static let otherBodies: [Case] = [
        Case("POST /token", 415, reason: "UNSUPPORTED_MEDIA_TYPE", body: "{}"),
        Case(
            "POST /token",
            415,
            reason: "UNSUPPORTED_MEDIA_TYPE",
            headers: ["Content-Type: text/plain"],
            body: #"{"kind":"server"}"#
        ),
        Case("POST /token", 413, reason: "BODY_TOO_LARGE", headers: json, body: String(repeating: " ", count: 20000)),
        Case("POST /token/delivery_server", 400, reason: "INVALID_BODY", headers: json, body: #"{"kind":"server"}"#),
        Case("POST /token/server", 400, reason: "INVALID_BODY", headers: json, body: #"{"taskIds":["a"]}"#),
    ]

    @Test(arguments: paths + fields + ids + bodies + otherBodies)
    func `An invalid request gets its status and reason`(refused: Case) async throws {
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
        ("POST /", "GET, HEAD, OPTIONS"),
        ("PROPFIND /token/driver/x", "GET, OPTIONS"),
    ]

    @Test(arguments: methods)
    func `An unsupported method gets 405 with the allowed ones`(request: String, allow: String) async throws {
        let parts = request.split(separator: " ").map(String.init)
        let answer = try await DevelopmentService.request(parts[0], parts[1])
        #expect(answer.status == 405)
        #expect(answer["allow"] == allow)
        if parts[0] != "HEAD" { #expect(try answer.reason() == "METHOD_NOT_ALLOWED") }
    }

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

    @Test(arguments: malformed)
    func `A malformed request gets the error format`(text: String) async throws {
        let answers = try await DevelopmentService.send(text, count: 2)
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

    @Test
    func `The request after a body that is too large is served`() async throws {
        let large = Self.post + "Content-Length: 40000\r\n\r\n" + String(repeating: " ", count: 40000)
        let good = "GET /token/consumer/t HTTP/1.1\r\nHost: localhost\r\n\r\n"
        let answers = try await DevelopmentService.send(large + good, count: 2)
        #expect(answers.map(\.status) == [413, 200])
    }
}
