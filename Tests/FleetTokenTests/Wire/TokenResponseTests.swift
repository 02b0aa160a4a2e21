import FleetToken
import Testing

struct TokenResponseTests {
    private func response(_ token: Secret = Secret("eyJ.eyJ.sig-_"), issued: Int64, expires: Int64, now: Int64)
        -> TokenResponse
    {
        TokenResponse(
            token: token,
            issuedAt: NumericDate(seconds: issued),
            expiresAt: NumericDate(seconds: expires),
            now: NumericDate(seconds: now)
        )
    }

    @Test
    func `The body has exactly these keys in this order`() {
        let response = response(issued: 1_795_211_460, expires: 1_795_215_060, now: 1_795_211_520)
        let expected = """
            {"token":"eyJ.eyJ.sig-_","jwt":"eyJ.eyJ.sig-_","expiresInSeconds":3540,\
            "creationTimestamp":1795211460000,"expirationTimestamp":1795215060000,\
            "creation_timestamp_ms":1795211460000,"expiration_timestamp_ms":1795215060000}
            """
        #expect(String(decoding: response.encoded(), as: UTF8.self) == expected)
        #expect(response.expiresIn == 3540)
    }

    @Test
    func `A reused token has less time left`() {
        #expect(response(issued: 0, expires: 3600, now: 240).expiresIn == 3360)
        #expect(response(issued: 0, expires: 3600, now: 3700).expiresIn == -100)
    }

    @Test(arguments: [Int64.min, -1, 0, Int64.max], [Int64.min, 0, Int64.max])
    func `No time overflows`(time: Int64, now: Int64) throws {
        let body = response(issued: time, expires: time, now: now).encoded()
        #expect(try JSONParser.parse(body).objectValue?["expirationTimestamp"]?.integerValue != nil)
    }
}
