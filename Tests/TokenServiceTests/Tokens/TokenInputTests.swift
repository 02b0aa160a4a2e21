import Foundation
import TestSupport
import TestTools
import Testing
import TokenService

/// Tokens as people paste them.
struct TokenInputTests {
    private static let token = "eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJhIn0.c2lnbmF0dXJl"

    private func read(_ text: String) throws -> String {
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        return String(decoding: try Input.token(try folder.write(text.utf8, to: "token")), as: UTF8.self)
    }

    @Test(
        arguments: [
            "TOKEN", "  TOKEN \r\n\n", "\u{FEFF}TOKEN", "\"TOKEN\"", "'TOKEN'\n", "{\"token\":\"TOKEN\"}",
            "{\"jwt\": \"TOKEN\"}\n",
            "{\"jwt\":\"x\",\"token\":\"TOKEN\"}", "Bearer TOKEN", "authorization: bearer TOKEN",
            "Authorization:Bearer TOKEN",
            "curl -H 'Authorization: Bearer TOKEN' https://example.com/v1", "-H \"Authorization: Bearer TOKEN\" \\\n",
        ]
    )
    func `A token is read out of what surrounds it`(text: String) throws {
        #expect(try read(text.replacing("TOKEN", with: Self.token)) == Self.token)
    }

    @Test(arguments: ["", " \n", "{}", "{\"token\":1}", "{"])
    func `Input without a token is refused`(text: String) {
        #expect(throws: CommandError.self) { try read(text) }
    }
}
