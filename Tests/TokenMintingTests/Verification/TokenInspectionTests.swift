import FleetToken
import JOSE
import Testing
import TokenMinting

/// What inspection warns of, whether or not the token is genuine.
@Suite struct TokenInspectionTests {
    private func warnings(
        _ authorization: String = #"{"tripid":"trip-1"}"#,
        header: String = Forge.header,
        now: NumericDate = Accounts.now
    ) throws -> [String] {
        let payload = """
            {"iss":"a@b","sub":"a@b","aud":"https://fleetengine.googleapis.com/","iat":1795211460,"exp":1795215060,\
            "authorization":\(authorization)}
            """
        let token = try Forge.token(header: header, payload: Array(payload.utf8), account: try Accounts.second())
        return try TokenInspection(of: token, now: now).warnings
    }

    @Test func hasNothingToSayOfATokenInOrder() throws {
        #expect(try warnings() == [])
    }

    @Test(
        arguments: [
            (#"{"alg":"RS512","typ":"JWT","kid":"k"}"#, "alg"), (#"{"alg":"RS256","typ":"jwt","kid":"k"}"#, "typ"),
            (#"{"alg":"RS256","kid":"k"}"#, "typ"), (#"{"alg":"RS256","typ":"JWT"}"#, "kid"),
        ]
    )
    func warnsOfTheHeader(header: String, word: String) throws {
        let warnings = try warnings(header: header)
        #expect(warnings.count == 1)
        #expect(warnings.first?.contains(word) == true)
    }

    @Test(arguments: [#"{"tripid":"*","vehicleid":"*"}"#, #"{"taskids":["*"]}"#])
    func warnsOfAWildcard(authorization: String) throws {
        let warnings = try warnings(authorization)
        #expect(warnings.count == 1)
        #expect(warnings.first?.contains("every resource") == true)
    }

    @Test func warnsOfTheTime() throws {
        #expect(try warnings(now: NumericDate(seconds: 1_795_215_060)).first?.contains("expired") == true)
        #expect(try warnings(now: NumericDate(seconds: 1_795_211_459)).first?.contains("hour") == true)
    }

    @Test func refusesWhatIsNoToken() {
        #expect { try TokenInspection(of: [], now: Accounts.now) } throws: {
            ($0 as? JOSEError)?.code == .malformedToken
        }
    }
}
