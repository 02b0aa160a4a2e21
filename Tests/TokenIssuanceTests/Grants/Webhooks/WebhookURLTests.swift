import Testing

@testable import ServiceSupport
@testable import TokenIssuance

@Suite struct WebhookURLTests {
    @Test(
        "An https URL, or an http one of this machine, is accepted",
        arguments: [
            "https://example.com", "https://example.com/authorize", "https://example.com:8443/a/b?c=d",
            "https://10.0.0.1/",
            "http://127.0.0.1:8300/authorize", "http://localhost:8300", "http://[::1]:8300/", "http://127.9.9.9/",
            "https://[2001:db8::1]/",
        ]
    )
    func takesHTTPSOrThisMachine(text: String) throws {
        #expect(try WebhookURL(text).text == text)
    }

    @Test(
        "Another URL is refused with the reason",
        arguments: [
            ("", "must be a valid URL"),
            ("example.com/authorize", "must be a valid URL"),
            ("/authorize", "must be a valid URL"),
            ("https://", "must be a valid URL"),
            ("https:///authorize", "must be a valid URL"),
            ("https://exa mple.com", "must be a valid URL"),
            ("https://example.com/\r\nX: y", "must be a valid URL"),
            ("https://example.com\\@evil.example", "must be a valid URL"),
            ("https://ex\u{E4}mple.com", "must be a valid URL"),
            ("https://example.com:0", "must be a valid URL"),
            ("https://example.com:65536", "must be a valid URL"),
            ("https://user@example.com", "must not contain a user"),
            ("https://user:password@example.com", "must not contain a user"),
            ("https://:password@example.com", "must not contain a user"),
            ("https://example.com/#fragment", "must not contain a user"),
            ("http://example.com", "must be https"),
            ("http://10.0.0.1", "must be https"),
            ("http://127.0.0.1.example.com", "must be https"),
            ("http://localhost.example.com", "must be https"),
            ("http://0.0.0.0", "must be https"),
            ("http://2130706433", "must be https"),
            ("http://[::ffff:10.0.0.1]", "must be https"),
            ("file:///etc/passwd", "must be"),
            ("ftp://example.com", "must be https"),
            ("http+unix://%2Frun%2Fsocket/x", "must be"),
            ("unix:///run/socket", "must be"),
        ]
    )
    func refusesAllElse(text: String, hint: String) throws {
        let error = try #require(throws: ConfigurationError.self) { try WebhookURL(text) }
        #expect(error.description.contains(hint), "\(error)")
        #expect(!error.description.contains("password@"))
    }
}
