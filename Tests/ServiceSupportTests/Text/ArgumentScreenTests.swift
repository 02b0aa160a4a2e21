import Testing

@testable import ServiceSupport

struct ArgumentScreenTests {
    private static let token = "eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJhQGIifQ.c2lnbmF0dXJl"

    @Test(
        arguments: [
            token, "Bearer \(token)", "--id=\(token)", "Authorization: Bearer \(token)", "\"\(token)\"", "\(token)\n",
            #"{"token":"\#(token)"}"#, "https://example.com/?jwt=\(token)&x=y", "eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJh",
            "/\(token)",
            "eyJhbGciOiJSUzI1NiJ9.e30=.c2ln", "eyJhbGciOiJSUzI1NiJ9..", "--\(token)",
            "-o\(token)",
        ]
    )
    func `A token is refused wherever it stands, and not repeated`(argument: String) throws {
        let refusal = try #require(ArgumentScreen.refusal(of: ["inspect", argument]))
        #expect(refusal.contains("standard input"))
        #expect(!refusal.contains("eyJ"))
    }

    @Test(
        arguments: ["PRIVATE KEY", "RSA PRIVATE KEY", "ENCRYPTED PRIVATE KEY"]
    )
    func `A private key is refused, and not repeated`(label: String) throws {
        let argument = "-----BEGIN \(label)-----\nMIIE\n-----END \(label)-----\n"
        let refusal = try #require(ArgumentScreen.refusal(of: ["verify", "--key", argument]))
        #expect(refusal.contains("key"))
        #expect(!refusal.contains("MIIE"))
    }

    @Test(arguments: ["", "X-API-Key: ", "--header-file=", "Authorization: Bearer "])
    func `An API key is refused, and not repeated`(before: String) throws {
        let argument = "\(before)ftk_testkey00001_\(String(repeating: "s", count: 43))"
        let refusal = try #require(ArgumentScreen.refusal(of: ["fetch", argument]))
        #expect(refusal.contains("file"))
        #expect(!refusal.contains("testkey"))
    }

    private static let harmless: [[String]] = [
        [], ["mint", "--kind", "consumer", "--id", "trip-1"], ["inspect", "token.jwt"], ["inspect", "-"],
        ["verify", "/tmp/keyJar.backup.tokens/a.txt"], ["verify", "eyJ.txt"], ["mint", "--id", "eyJhbGciOiJSUzI1NiJ9"],
        ["verify", "--jwks", "https://www.googleapis.com/service_accounts/v1/jwk/a@b.iam.gserviceaccount.com"],
        ["keys", "check", "private-key.pem"], ["fetch", "--header-file", "ftk_backend.key"],
    ]

    @Test(arguments: harmless)
    func `Everything else passes`(arguments: [String]) {
        #expect(ArgumentScreen.refusal(of: arguments) == nil)
    }
}
