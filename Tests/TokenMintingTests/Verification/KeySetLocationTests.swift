import Testing
import TokenMinting

struct KeySetLocationTests {
    @Test(arguments: ["jwks.json", "./a/b.json", "/dev/stdin", "C:\\jwks.json", "https:", "http:/x", "-"])
    func takesAnythingWithoutASchemeForAFile(text: String) throws {
        #expect(try KeySetLocation(text) == .file(text))
    }

    @Test(arguments: [
        "https://www.googleapis.com/oauth2/v3/certs", "HTTPS://example.com", "https://example.com:8443/a?b=c",
        "https://10.0.0.1/", "https://[2001:db8::1]/", "http://localhost:8080/.well-known/jwks.json",
        "http://LOCALHOST/", "http://127.0.0.1:8080/", "http://[::1]:8080/",
    ])
    func takesHTTPSAndLoopback(text: String) throws {
        #expect(try KeySetLocation(text) == .address(text))
    }

    @Test(arguments: [
        "http://example.com/", "http://127.0.0.1.example.com/", "http://localhost.example.com/",
        "http://127.0.0.1@example.com/",
        "http://127.0.0.1:80@example.com/", "http://localhost%2eexample.com/", "http://10.0.2.2/", "http://0.0.0.0/",
        "http://[::ffff:127.0.0.1]/", "http://169.254.169.254/", "https://user:password@example.com/",
        "https://user@example.com/", "ftp://localhost/", "file:///etc/jwks.json", "javascript://localhost/",
        "://localhost/",
        "https://", "https:///x", "http:// localhost/", "https://[::1/", "http+unix://localhost/",
        "http://localhost\\@example.com/", "http://example.com\\@localhost/",
    ])
    func refusesWhatAnybodyCouldAnswer(text: String) {
        let error = #expect(throws: MintingError.self) { try KeySetLocation(text) }
        #expect(error?.code == .keySetAddress)
        #expect(error?.description.contains("password@") == false)
    }
}
