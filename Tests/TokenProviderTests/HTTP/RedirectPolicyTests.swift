import Foundation
import Testing

@testable import TokenProvider

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

struct RedirectPolicyTests {
    private func redirected(_ from: String, _ to: String, method: String = "GET", into newMethod: String = "GET") throws
        -> URLRequest?
    {
        var original = URLRequest(url: try #require(URL(string: from)))
        original.httpMethod = method
        original.setValue("Bearer abc", forHTTPHeaderField: "Authorization")
        var proposed = URLRequest(url: try #require(URL(string: to)))
        proposed.httpMethod = newMethod
        return RedirectPolicy.request(redirecting: original, to: proposed)
    }

    @Test(
        arguments: [
            ("https://tokens.example/a", "https://tokens.example/b"),
            ("https://tokens.example/a", "https://TOKENS.example:443/b"),
            ("http://localhost:80/a", "http://localhost/b"),
        ]
    )
    func `A redirection on the server is followed with the credentials`(from: String, to: String) throws {
        let request = try #require(try redirected(from, to))
        #expect(request.url?.absoluteString == to)
        #expect(request.value(forHTTPHeaderField: "Authorization") == "Bearer abc")
    }

    @Test(
        arguments: [
            ("https://tokens.example/a", "https://evil.example/a"),
            ("https://tokens.example/a", "http://tokens.example/a"),
            ("https://tokens.example/a", "https://tokens.example:8443/a"),
            // The port alone is no origin.
            ("https://tokens.example:8443/a", "http://tokens.example:8443/a"),
            ("http://localhost:8443/a", "https://localhost:8443/a"),
            ("https://tokens.example/a", "http://tokens.example:443/a"),
            ("https://tokens.example/a", "https://tokens.example.evil.example/a"),
            ("https://tokens.example/a", "https://user@tokens.example/a"),
            ("http://localhost:8080/a", "http://127.0.0.1:8080/a"),
        ]
    )
    func `A redirection elsewhere is refused`(from: String, to: String) throws {
        #expect(try redirected(from, to) == nil)
    }

    @Test
    func `A redirection that makes a GET of a POST is refused`() throws {
        #expect(try redirected("https://a.example/", "https://a.example/b", method: "POST", into: "GET") == nil)
        #expect(try redirected("https://a.example/", "https://a.example/b", method: "POST", into: "POST") != nil)
    }
}
