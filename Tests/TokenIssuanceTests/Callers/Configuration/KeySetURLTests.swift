import Testing

@testable import ServiceSupport
@testable import TokenIssuance

@Suite struct KeySetURLTests {
    @Test(
        arguments: [
            KeySetURL.google.text, KeySetURL.firebase.text,
            "https://login.example.com:8443/keys?tenant=a&v=2", "https://idp.internal/", "https://idp",
            "https://a-b.c1.example/%7Ex",
            "https://xn--bcher-kva.example/keys", "HTTPS://idp.example/keys",
        ]
    )
    func `An https URL of a named host is accepted`(_ text: String) throws {
        #expect(try KeySetURL(text).text == text)
    }

    @Test(
        arguments: [
            "http://idp.example/keys", "ftp://idp.example", "file:///etc/passwd", "",
            "https:",
            "https://",
            "https:///keys", "//idp.example/keys", "idp.example/keys", "https:idp.example", "https:/idp.example",
            " https://idp.example",
            "https://idp.example/ ", "https://idp.example/\n", "https://idp.example/\u{0}",
            "https://idp.example/caf\u{E9}",
            "data:application/json,{}", "javascript:alert(1)", "gopher://idp.example",
            // A user, or what another parser might take for one
            "https://user@idp.example/", "https://user:password@idp.example/", "https://idp.example@evil.example/",
            "https://idp.example\\@evil.example/", "https://idp.example\\.evil.example/",
            "https://idp.example#@evil.example/",
            "https://idp.example/#fragment",
            // Addresses, in all spellings
            "https://127.0.0.1/keys", "https://169.254.169.254/latest/meta-data", "https://10.0.0.1/",
            "https://192.168.1.1/",
            "https://[::1]/", "https://[::ffff:169.254.169.254]/", "https://2852039166/", "https://0x7f.0.0.1/",
            "https://127.1/",
            "https://0x7f000001/", "https://017700000001/", "https://1.2.3.4./", "https://a.1/", "https://a.0x1/",
            // Ports and names that are none
            "https://idp.example:/", "https://idp.example:0/", "https://idp.example:65536/", "https://idp.example:44x/",
            "https://idp.example:+443/", "https://idp.example:443:1/", "https://idp..example/", "https://.example/",
            "https://idp.example./",
            "https://idp_x.example/", "https://idp%2eexample/", "https://*.example/",
            "http://127.0.0.1:8080/keys", "http://localhost:8080/keys",
            "https://idp.example/" + String(repeating: "a", count: 2048),
        ]
    )
    func `An unsafe or malformed key set URL is rejected`(_ text: String) {
        #expect(throws: OperatorError.self) { try KeySetURL(text) }
    }
}
