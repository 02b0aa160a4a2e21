import Foundation
import Testing

@testable import TokenProvider

/// No token, credential, URL or body in any description, reflection or error.
struct RedactionTests {
    private static let secret = "SECRETSECRET"

    private func text(_ value: Any) -> String {
        var dumped = ""
        dump(value, to: &dumped)
        return "\(value) \(String(reflecting: value)) \(dumped)"
    }

    @Test
    func `A token has no text in its description`() {
        let token = Token(Self.secret, lifetime: 1)
        let values: [Any] = [
            token, Optional(token) as Any, [token], ["token": token],
            Result<Token, TokenProviderError>.success(token),
        ]
        for value in values { #expect(!text(value).contains(Self.secret)) }
        #expect(text(token).contains("<redacted>"))
    }

    @Test
    func `A provider does not show its tokens`() async throws {
        let url = try #require(URL(string: "https://tokens.example/"))
        let overHTTP = FleetTokenProvider(TokenServer(url)) { _ in ["Authorization": "Bearer \(Self.secret)"] }
        let provider = FleetTokenProvider { _ in Token(Self.secret, lifetime: 3540) }
        _ = try await provider.token(for: .server)
        #expect(!text(provider).contains(Self.secret))
        #expect(!text(overHTTP).contains(Self.secret))
    }

    @Test
    func `The URL of a URLError, which names an ID, is left out`() throws {
        let url = try #require(URL(string: "https://tokens.example/token/consumer/\(Self.secret)"))
        for code in [
            URLError.Code.timedOut, .cannotConnectToHost, .secureConnectionFailed, .badURL, .cannotParseResponse,
        ] {
            let error = URLError(
                code,
                userInfo: [NSURLErrorFailingURLErrorKey: url, NSLocalizedDescriptionKey: "Failed: \(url)"]
            )
            let seen = TokenProviderError(source: error)
            #expect(!text(seen).contains(Self.secret))
            #expect(!text((seen as any Error) as NSError).contains(Self.secret))
        }
    }
}
