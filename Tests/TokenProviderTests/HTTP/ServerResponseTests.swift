import Foundation
import TestTools
import Testing
import TokenProviderTesting

@testable import TokenProvider

/// Reading a token server's response.
struct ServerResponseTests {
    private let now = Date(timeIntervalSince1970: 1_795_211_460)
    private let trip = TokenScope.trip("trip-1")

    private func lifetime(
        _ body: String,
        _ decode: (Data) throws -> Token = TokenServer.json(),
        date: String? = nil,
        age: String? = nil,
        deviceError: Double = 0
    ) throws -> TimeInterval {
        let device = now.timeIntervalSince1970 + deviceError
        return try ServerResponse(status: 200, date: date ?? HTTPDateText.imf(now), age: age, body: Data(body.utf8))
            .token(decode, now: device).lifetime.seconds(deviceClock: device)
    }

    private func body(_ token: String, key: String = "token", _ rest: String = #","expiresInSeconds":3540"#) -> String {
        #"{"\#(key)":"\#(token)"\#(rest)}"#
    }

    /// A JWT with these claims.
    private func jwt(_ claims: String) -> String {
        let payload = Data(claims.utf8).base64EncodedString().replacingOccurrences(of: "=", with: "")
        return "eyJhbGciOiJSUzI1NiJ9.\(payload).AA"
    }

    /// Each server's key of the token, the other members of a response that reports a life of 3,540 seconds, and its reading.
    private var servers: [(key: String, rest: String, decode: @Sendable (Data) throws -> Token)] {
        let end = Int(now.timeIntervalSince1970) + 3540
        return [
            ("token", #","expiresInSeconds":3540"#, TokenServer.json()),
            ("token", #","expiresInSeconds":"3540""#, TokenServer.json()),
            (
                "TRIP_TOKEN_KEY", #","TOKEN_EXPIRATION":\#(end).5"#,
                TokenServer.json(token: "TRIP_TOKEN_KEY", expiry: "TOKEN_EXPIRATION", unit: .secondsSince1970)
            ),
            (
                "VEHICLE_TOKEN_KEY", #","TOKEN_EXPIRATION":3540.0"#,
                TokenServer.json(token: "VEHICLE_TOKEN_KEY", expiry: "TOKEN_EXPIRATION")
            ),
            (
                "jwt", #","expirationTimestamp":\#(end)000,"creationTimestamp":0"#,
                TokenServer.json(token: "jwt", expiry: "expirationTimestamp", unit: .millisecondsSince1970)
            ),
            (
                "token", #","expiration_timestamp_ms":"\#(end)000","creation_timestamp_ms":0"#,
                TokenServer.json(expiry: "expiration_timestamp_ms", unit: .millisecondsSince1970)
            ),
            ("t", "", TokenServer.json(token: "t", expiry: nil)),
        ]
    }

    @Test(arguments: [0, -7200, 7200, -1e8, 1e8], [(0.0, 3540.0), (7200.0, -3660.0)] as [(Double, Double)])
    func `Each server's response is read by the server's clock`(
        deviceError: Double,
        token: (age: Double, lifetime: Double)
    ) throws {
        let issued = Token.jwt(for: trip, issuedAt: now.addingTimeInterval(-token.age))
        for server in servers {
            let found = try lifetime(
                body(issued, key: server.key, server.rest),
                server.decode,
                deviceError: deviceError
            )
            #expect(found == token.lifetime, "\(server.key)\(server.rest)")
        }
    }

    @Test
    func `Nested objects are read`() throws {
        let token = Token.jwt(for: trip, issuedAt: now)
        let decode = TokenServer.json(token: "result.data.token", expiry: "result.expiresIn")
        #expect(try lifetime(#"{"result":{"data":{"token":"\#(token)"},"expiresIn":"1200"}}"#, decode) == 1200)
        #expect(throws: TokenProviderError.self) { try lifetime(#"{"result":"\#(token)"}"#, decode) }
    }

    @Test func `A byte order mark before the body is skipped`() throws {
        #expect(try lifetime("\u{FEFF}" + body(Token.jwt(for: trip, issuedAt: now))) == 3540)
    }

    @Test
    func `A token without times is used for as long as the server says, or five minutes`() throws {
        let token = jwt(#"{"authorization":{"tripid":"trip-1"}}"#)
        #expect(try lifetime(body(token, #","expiresInSeconds":1800"#)) == 1800)
        #expect(try lifetime(body(token, ""), TokenServer.json(expiry: nil)) == 300)
    }

    @Test(arguments: ["0", "-1", "-1e300"])
    func `A token that had expired has no lifetime left`(figure: String) throws {
        #expect(try lifetime(body(Token.jwt(for: trip, issuedAt: now), #","expiresInSeconds":\#(figure)"#)) <= 0)
        let old = Token.jwt(for: trip, issuedAt: now.addingTimeInterval(-3600))
        #expect(try lifetime(body(old, ""), TokenServer.json(expiry: nil)) == -60)
    }

    /// A lifetime of a year, and values that are not numbers.
    @Test(arguments: ["31536000", "1e400", "true", "null", "[]", #""an hour""#])
    func `An impossible lifetime is an error`(figure: String) throws {
        let error = #expect(throws: TokenProviderError.self) {
            try lifetime(body(Token.jwt(for: trip, issuedAt: now), #","expiresInSeconds":\#(figure)"#))
        }
        #expect(error?.code == .unexpectedResponse && error?.remedy == .developer)
    }

    @Test
    func `No number extends a token's lifetime beyond its claims`() throws {
        #expect(
            try lifetime(body(Token.jwt(for: trip, lifetime: 600, issuedAt: now), #","expiresInSeconds":604800"#))
                == 600
        )
    }

    @Test(arguments: [("3000", 540.0), ("0", 3540), ("x", 3540), ("-5", 3540), ("99999999999", -99_999_996_459)])
    func `A cached response is as much older as its Age says`(field: String, expected: Double) throws {
        #expect(try lifetime(body(Token.jwt(for: trip, issuedAt: now)), age: field) == expected)
    }

    @Test(arguments: ["Thu, 01 Jan 1970 00:00:00 GMT", "garbage", ""])
    func `A wrong Date does not matter where the server measured the lifetime itself`(date: String) throws {
        #expect(try lifetime(body(Token.jwt(for: trip, issuedAt: now)), date: date) == 3540)
    }

    @Test(
        arguments: [
            "", "SECRET", "<html>SECRET</html>", "[]", "\"SECRET\"", "{", #"{"token":"#,
            #"{"token":1,"expiresInSeconds":1}"#,
            #"{"token":"SECRET","expiresInSeconds":3540}"#, #"{"token":"SE.CR.ET!","expiresInSeconds":3540}"#,
            #"{"token":"a.b.c.d","expiresInSeconds":3540}"#, #"{"token":"..","expiresInSeconds":3540}"#,
            #"{"token":"e30.e30.","expiresInSeconds":3540}"#, #"{"token":"e30.e30.AA\n","expiresInSeconds":3540}"#,
            #"{"token":"e30.U0VDUkVU.AA","expiresInSeconds":3540}"#, #"{"token":"e30.e30.AA"}"#,
            #"{"token":"e30.e30.AA","expiresInSeconds":"SECRET"}"#, #"{"token":"e30.e30.AA","expiresInSeconds":null}"#,
            #"{"token":"a","token":"SECRET","expiresInSeconds":3540}"#, "\u{FEFF}{}", "{\"token\":\"\u{0}\"}",
        ]
    )
    func `A body that is no response is an error that holds nothing of it`(body: String) throws {
        let error = #expect(throws: TokenProviderError.self) { try lifetime(body) }
        #expect(error?.code == .unexpectedResponse)
        #expect(error.map { String(reflecting: $0).contains("SECRET") } == false)
    }

    @Test
    func `An error of decode is an unexpected response`() throws {
        struct Failure: Error { let text = "SECRET" }
        let error = #expect(throws: TokenProviderError.self) { try lifetime("{}", { _ in throw Failure() }) }
        #expect(error?.code == .unexpectedResponse)
        #expect(error.map { String(reflecting: $0).contains("SECRET") } == false)
        let own = TokenProviderError(.permissionDenied, "No such trip.")
        #expect(throws: own) { try lifetime("{}", { _ in throw own }) }
        // Without a response this code would mean that no user is signed in, and nothing would pause.
        let denied = #expect(throws: TokenProviderError.self) {
            try lifetime("{}", { _ in throw TokenProviderError(.unauthenticated, "No.") })
        }
        #expect(denied?.cooldown == .permanent)
    }

    private func failure(_ response: ServerResponse) -> TokenProviderError? {
        #expect(throws: TokenProviderError.self) {
            try response.token(TokenServer.json(), now: now.timeIntervalSince1970)
        }
    }

    @Test(arguments: 500...599)
    func `Every 5xx is transient and waits as it asks`(status: Int) throws {
        let error = failure(ServerResponse(status: status, retryAfter: "7"))
        #expect(error?.remedy == .wait)
        #expect(error?.retryAfter == 7)
        #expect(error?.httpStatus == status)
    }

    @Test(arguments: 300...399)
    func `Only a redirection with a target needs the URL to be corrected`(status: Int) throws {
        #expect(failure(ServerResponse(status: status, location: "https://a.example/"))?.code == .invalidConfiguration)
        #expect(failure(ServerResponse(status: status))?.code == .unavailable)
    }

    @Test(arguments: TokenCases.shared.statuses)
    func `A status counts even with a token in the body`(_ example: TokenCases.Status) throws {
        let body = Data(body(Token.jwt(for: trip, issuedAt: now)).utf8)
        let error = failure(ServerResponse(status: example.status, location: example.location, body: body))
        #expect(error?.code.name == example.code)
        #expect(error?.httpStatus == example.status)
        #expect(error?.message.isEmpty == false)
    }

    @Test
    func `A response without a body is an error`() throws {
        let error = failure(ServerResponse(status: 204))
        #expect(error?.code == .unexpectedResponse)
        #expect(error?.httpStatus == nil)
    }
}
