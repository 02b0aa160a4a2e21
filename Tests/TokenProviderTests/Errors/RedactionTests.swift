import FleetToken
import Foundation
import Testing

@testable import TokenProvider

/// P15: no token, credential, URL or body in any description, reflection or error.
@Suite("Secrets in descriptions, reflection and errors")
struct RedactionTests {
    private static let secret = "SECRETSECRET"

    private func text(_ value: Any) -> String {
        var dumped = ""
        dump(value, to: &dumped)
        return "\(value) \(String(reflecting: value)) \(dumped)"
    }

    @Test("Tokens don't show")
    func tokens() {
        let token = Token(Secret(Self.secret), scope: .server, expirationDate: Date())
        let values: [Any] = [
            token, Optional(token) as Any, [token], ["token": token], FetchedToken(Secret(Self.secret), lifetime: 1),
            Result<Token, TokenProviderError>.success(token),
        ]
        for value in values { #expect(!text(value).contains(Self.secret)) }
        #expect(text(token).contains("<redacted>"))
    }

    @Test("Neither do a provider's and a source's own")
    func providers() async throws {
        let url = try #require(URL(string: "https://tokens.example/"))
        let source = HTTPTokenSource(server: url) { _ in ["Authorization": "Bearer \(Self.secret)"] }
        let provider = CachingTokenProvider { _ in FetchedToken(Secret(Self.secret), lifetime: 3540) }
        _ = try await provider.token(for: .server)
        #expect(!text(provider).contains(Self.secret))
        #expect(!text(source).contains(Self.secret))
    }

    @Test("A URL error's URL, which names an ID, is left out")
    func urlErrors() throws {
        let url = try #require(URL(string: "https://tokens.example/token/consumer/\(Self.secret)"))
        for code in [
            URLError.Code.timedOut, .cannotConnectToHost, .secureConnectionFailed, .badURL, .cannotParseResponse,
        ] {
            let error = URLError(
                code,
                userInfo: [
                    NSURLErrorFailingURLErrorKey: url, NSLocalizedDescriptionKey: "Failed: \(url)",
                ]
            )
            let seen = TokenProviderError(source: error)
            #expect(!text(seen).contains(Self.secret))
            #expect(!text((seen as any Error) as NSError).contains(Self.secret))
            #expect(seen.message.contains("\(code.rawValue)"))
        }
    }
}
