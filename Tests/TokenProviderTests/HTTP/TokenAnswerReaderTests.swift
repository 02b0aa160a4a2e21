import FleetToken
import Foundation
import TestTraits
import Testing
import Timing

@testable import TokenProvider

@Suite("The reading of a token server's response")
struct TokenResponseReaderTests {
    private let now = NumericDate(seconds: 1_795_211_460)

    private func read(
        _ body: [UInt8],
        scope: TokenScope,
        format: TokenResponseFormat = .fleetToken,
        status: Int = 200,
        date: String? = nil,
        age: String? = nil,
        deviceError: Double = 0
    ) throws -> FetchedToken {
        let reader = TokenResponseReader(format: format, scope: scope, now: Double(now.seconds) + deviceError)
        return try reader.read(
            TransferResponse(status: status, date: date ?? HTTPDateText.imf(now), age: age, retryAfter: nil, body: body)
        )
    }

    private func json(_ token: Secret, key: String, _ rest: String = "") -> [UInt8] {
        Array(#"{"\#(key)":"\#(token.revealText())"\#(rest)}"#.utf8)
    }

    /// Each format with its key of the token and the other members of a response that reports a life of 3,540 seconds.
    private var answers: [(TokenResponseFormat, String, String)] {
        let end = now.seconds + 3540
        return [
            (.fleetToken, "token", #","expiresInSeconds":3540"#),
            (.consumerGuide(.secondsSince1970), "TRIP_TOKEN_KEY", #","TOKEN_EXPIRATION":\#(end).5"#),
            (.consumerGuide(.secondsFromNow), "TRIP_TOKEN_KEY", #","TOKEN_EXPIRATION":3540"#),
            (.driverGuide(), "VEHICLE_TOKEN_KEY", #","TOKEN_EXPIRATION":3540.0"#),
            (.driverGuide(.secondsSince1970), "VEHICLE_TOKEN_KEY", #","TOKEN_EXPIRATION":\#(end)"#),
            (.onDemandSample, "jwt", #","expirationTimestamp":\#(end)000,"creationTimestamp":0"#),
            (.lastMileSample, "token", #","expiration_timestamp_ms":\#(end)000,"creation_timestamp_ms":0"#),
            (TokenResponseFormat(tokenKey: "t"), "t", ""),
        ]
    }

    @Test(
        "Each preset reads its server's answer by the server's clock, and a token that has expired by it is dead",
        .tags(.b49),
        arguments: [0, -7200, 7200, -1e8, 1e8],
        [(age: 0, lifetime: 3540.0), (7200, 3540 - 7200)] as [(age: Int64, lifetime: Double)]
    )
    func presets(deviceError: Double, token: (age: Int64, lifetime: Double)) throws {
        let scope = try TokenScope.vehicle("vehicle-1")
        let issued = Secret(scope: scope, now: now - token.age)
        for (format, key, rest) in answers {
            let fetched = try read(json(issued, key: key, rest), scope: scope, format: format, deviceError: deviceError)
            #expect(fetched.value == issued)
            #expect(fetched.lifetime == token.lifetime, "\(format)")
        }
    }

    @Test(
        "A token for something else is refused",
        .tags(.b15),
        arguments: [
            #"{"tripid":"trip-2"}"#, #"{"vehicleid":"trip-1"}"#, #"{"tripid":"*"}"#, #"{"tripid":"*","vehicleid":"*"}"#,
            #"{"tripid":"trip-1","vehicleid":"v"}"#, #"{"tripid":"trip-1","admin":true}"#, #"{"tripid":["trip-1"]}"#,
            #"{"tripid":"TRIP-1"}"#, #"{"tripid":"trip-1 "}"#, #"{"taskids":["trip-1"]}"#, #"{}"#, #"null"#,
            #""trip-1""#,
            #"{"tripid":"trip-1","tripid":"trip-2"}"#,
        ]
    )
    func wrongScope(authorization: String) throws {
        let claims = #"{"iat":1795211400,"exp":1795215000,"authorization":\#(authorization)}"#
        let error = #expect(throws: TokenProviderError.self) {
            try read(
                json(Secret(claims: claims.utf8), key: "token", #","expiresInSeconds":3540"#),
                scope: try .trip("trip-1")
            )
        }
        #expect(error?.code == .wrongScope || error?.code == .unexpectedResponse)
        #expect(error?.needsAction == true)
    }

    @Test("A token for exactly the scope is taken, whatever the kind", .tags(.b15))
    func rightScope() throws {
        let scopes =
            try KindCase.all.map { try $0.scope() } + [.driver(vehicle: try ResourceID("véhicule"))]
        for scope in scopes {
            #expect(try read(TokenResponse(for: scope, now: now).encoded(), scope: scope).lifetime == 3540)
            for other in scopes where other.claims != scope.claims {
                #expect(throws: TokenProviderError.self) {
                    try read(TokenResponse(for: other, now: now).encoded(), scope: scope)
                }
            }
        }
    }

    @Test("The order of a batch's tasks doesn't matter", .tags(.b15))
    func batchOrder() throws {
        let issued = try TokenScope(kind: .deliveryServer, id: nil, taskIDs: ["b", "a"])
        let fetched = try read(
            TokenResponse(for: issued, now: now).encoded(),
            scope: try TokenScope(kind: .deliveryServer, id: nil, taskIDs: ["a", "b"])
        )
        #expect(fetched.lifetime == 3540)
    }

    @Test("A token without iat and exp is taken for as long as the server says, or five minutes", .tags(.b34))
    func missingTimes() throws {
        let scope = try TokenScope.trip("trip-1")
        let token = Secret(claims: #"{"authorization":{"tripid":"trip-1"}}"#.utf8)
        #expect(try read(json(token, key: "token", #","expiresInSeconds":1800"#), scope: scope).lifetime == 1800)
        let bare = TokenResponseFormat(tokenKey: "token")
        #expect(try read(json(token, key: "token"), scope: scope, format: bare).lifetime == 300)
    }

    @Test("A token that had expired already has no life left", .tags(.b35), arguments: ["0", "-1", "-1e300"])
    func alreadyExpired(figure: String) throws {
        let scope = try TokenScope.trip("trip-1")
        let body = json(Secret(scope: scope, now: now), key: "token", #","expiresInSeconds":\#(figure)"#)
        #expect(try read(body, scope: scope).lifetime <= 0)
        let lastHour = now - 3600
        let old = json(Secret(scope: scope, now: lastHour), key: "token")
        #expect(try read(old, scope: scope, format: TokenResponseFormat(tokenKey: "token")).lifetime == -60)
    }

    @Test(
        "A cached answer is as much older as its Age says; an Age that is no number is ignored",
        arguments: [
            ("3000", 540.0), ("0", 3540), ("x", 3540), ("-5", 3540), ("99999999999", -99_999_996_459),
        ]
    )
    func age(field: String, expected: Double) throws {
        let scope = try TokenScope.trip("trip-1")
        let fetched = try read(TokenResponse(for: scope, now: now).encoded(), scope: scope, age: field)
        #expect(fetched.lifetime == expected)
    }

    @Test(
        "A Date in the past, and one that is none, don't matter where the server measured the life itself",
        arguments: [
            "Thu, 01 Jan 1970 00:00:00 GMT", "garbage", "",
        ]
    )
    func skewedDate(date: String) throws {
        let scope = try TokenScope.trip("trip-1")
        #expect(try read(TokenResponse(for: scope, now: now).encoded(), scope: scope, date: date).lifetime == 3540)
    }

    @Test(
        "Garbage is an error that holds nothing of it",
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
    func garbage(body: String) throws {
        let error = #expect(throws: TokenProviderError.self) { try read(Array(body.utf8), scope: try .trip("trip-1")) }
        let code = error?.code
        #expect(code == .unexpectedResponse || (code == .wrongScope && body.contains("e30.e30.AA")))
        #expect(error.map { String(reflecting: $0).contains("SECRET") } == false)
    }

    @Test("Every 5xx passes, and waits as it asks", .tags(.b50), arguments: 500...599)
    func serverErrors(status: Int) throws {
        let reader = TokenResponseReader(format: .fleetToken, scope: .server, now: Double(now.seconds))
        let error = #expect(throws: TokenProviderError.self) {
            try reader.read(TransferResponse(status: status, retryAfter: "7"))
        }
        #expect(error?.needsAction == false)
        #expect(error?.retryAfter == 7)
        #expect(error?.httpStatus == status)
    }

    @Test("Only a redirection that says where to needs the URL to be corrected", arguments: 300...399)
    func redirections(status: Int) throws {
        let reader = TokenResponseReader(format: .fleetToken, scope: .server, now: Double(now.seconds))
        for (location, code) in [("https://a.example/", TokenErrorCode.redirected), (nil, .unavailable)] {
            let error = #expect(throws: TokenProviderError.self) {
                try reader.read(TransferResponse(status: status, location: location))
            }
            #expect(error?.code == code)
        }
    }

    @Test("Samples: The status counts, even with a token in the body", arguments: TokenCases.shared.statuses)
    func statuses(_ example: TokenCases.Status) throws {
        let scope = try TokenScope.trip("trip-1")
        let error = #expect(throws: TokenProviderError.self) {
            try read(TokenResponse(for: scope, now: now).encoded(), scope: scope, status: example.status)
        }
        #expect(error?.code.description == example.code)
        #expect(error?.httpStatus == example.status)
        #expect(error?.message.isEmpty == false)
    }

    @Test("An answer without a body is an error")
    func noContent() throws {
        let error = #expect(throws: TokenProviderError.self) { try read([], scope: try .trip("trip-1"), status: 204) }
        #expect(error?.code == .unexpectedResponse)
        #expect(error?.httpStatus == nil)
    }
}
