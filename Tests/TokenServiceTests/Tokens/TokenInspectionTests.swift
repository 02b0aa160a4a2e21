import FleetToken
import Testing
import TokenService

@testable import ServiceSupport

struct TokenInspectionTests {
    private func inspect(header: String = SampleToken.header, claims: String) throws -> TokenInspection {
        try TokenInspection(of: try SampleToken.signed(header: header, claims: claims), now: SampleToken.now)
    }

    @Test
    func `The JSON has the same, with the remaining seconds`() throws {
        let json = try #require(
            try inspect(claims: SampleToken.claims(#"{"tripid":"*","vehicleid":"*"}"#)).json.objectValue
        )
        #expect(json["header"] == (try JSONParser.parse(SampleToken.header.utf8)))
        #expect(json["claims"]?.objectValue?["iat"] == .integer(1_795_214_830))
        #expect(json["kinds"] == .array([.string("server")]))
        #expect(json["issuedAt"] == .string("2026-11-20T22:47:10Z"))
        #expect(json["expiresAt"] == .string("2026-11-20T23:47:10Z"))
        #expect(json["expiresInSeconds"] == .integer(3540))
        #expect(json["warnings"]?.arrayValue?.map { $0.objectValue?["code"] } == [.string("wildcard")])
    }

    private static let warnings: [(String, String, [String])] = [
        (#"{"alg":"HS256","typ":"JWT","kid":"k"}"#, SampleToken.claims(), ["algorithm"]),
        (#"{"alg":"RS256","kid":"k"}"#, SampleToken.claims(), ["type"]),
        (#"{"alg":"RS256","typ":"JWT"}"#, SampleToken.claims(), ["keyID"]),
        (SampleToken.header, SampleToken.claims(#"{"tripid":"*"}"#), ["wildcard"]),
        (SampleToken.header, SampleToken.claims(#"{"tripid":"a/b"}"#), ["invalidID"]),
        (SampleToken.header, SampleToken.claims(#"{}"#), ["authorization"]),
        (SampleToken.header, SampleToken.claims(expires: SampleToken.now.seconds + 7200), ["tooLong", "tooLong"]),
        (SampleToken.header, SampleToken.claims(expires: SampleToken.now.seconds), ["expired"]),
        (SampleToken.header, SampleToken.claims(issued: SampleToken.now.seconds + 601), ["notYetValid"]),
        (SampleToken.header, SampleToken.claims(expires: 0), ["times", "expired"]),
        (
            SampleToken.header,
            SampleToken.claims().replacing("https://fleetengine.googleapis.com/", with: "https://other.example/"),
            ["audience"]
        ),
        (SampleToken.header, "no JSON", ["malformed"]),
        (SampleToken.header, SampleToken.claims(), []),
    ]

    @Test(arguments: warnings)
    func `Each mistake in a token has its warning`(header: String, claims: String, codes: [String]) throws {
        #expect(try inspect(header: header, claims: claims).warnings.map(\.code) == codes)
    }

    @Test
    func `A token whose payload is no JSON is shown as far as possible`() throws {
        let inspection = try inspect(claims: "\u{1b}[2J no JSON")
        #expect(inspection.text.contains("Claims\n  Unreadable.\n"))
        #expect(!inspection.text.contains("\u{1b}"))
        #expect(inspection.json.objectValue?["claims"] == .null)
        #expect(inspection.json.objectValue?["expiresAt"] == .null)
        #expect(inspection.json.objectValue?["expiresInSeconds"] == .null)
    }

    /// Escape sequences, a forged line, bidirectional overrides and invisible characters, in every place that has text.
    @Test
    func `No content of a token acts on the terminal`() throws {
        let hostile =
            #"\u001b[2J\u001b]0;title\u0007\u009b31m\r\nVerified: yes\u202e\u200b\u2028\u0085\ufeff\udb40\udc41"#
        let inspection = try inspect(
            header: #"{"alg":"\#(hostile)","typ":"\#(hostile)","kid":"k","\#(hostile)":["\#(hostile)"]}"#,
            claims: """
                {"iss":"\(hostile)","sub":"\(hostile)","aud":"\(hostile)","iat":1,"exp":2,"\(hostile)":"\(hostile)",\
                "authorization":{"tripid":"\(hostile)","\(hostile)":"\(hostile)"}}
                """
        )
        for output in [inspection.text, inspection.json.pretty()] {
            #expect(output == output.harmlessOnTerminal)
            #expect(!output.contains("\nVerified"))
            #expect(output.contains(#"\u001b[2J\u001b]0;title\u0007\u009b31m\u000d\u000aVerified: yes\u202e\u200b"#))
        }
    }

    @Test
    func `The signature is not shown`() throws {
        let token = try SampleToken.signed()
        let signature = try #require(String(decoding: token, as: UTF8.self).split(separator: ".").last)
        let inspection = try TokenInspection(of: token, now: SampleToken.now)
        #expect(!inspection.text.contains(signature))
        #expect(!inspection.json.pretty().contains(signature))
    }
}
