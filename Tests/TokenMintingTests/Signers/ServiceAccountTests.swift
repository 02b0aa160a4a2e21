import FleetToken
import JOSE
import ServiceSupport
import Testing
import TokenMinting

struct ServiceAccountTests {
    /// A whole key file, with every address in it pointing to where no token must go.
    private func file(_ changes: [String: String?] = [:]) throws -> String {
        var writer = JSONWriter()
        writer.string(String(decoding: try Accounts.first().key.pem(), as: UTF8.self))
        let members: [(String, String)] = [
            ("type", #""service_account""#), ("project_id", #""project""#), ("private_key_id", #""key-1""#),
            ("private_key", String(decoding: writer.bytes, as: UTF8.self)),
            ("client_email", #""driver@project.iam.gserviceaccount.com""#), ("client_id", #""1""#),
            ("auth_uri", #""http://169.254.169.254/""#), ("token_uri", #""file:///etc/passwd""#),
            ("universe_domain", #""example.invalid""#),
        ]
        let changed = members.compactMap { name, value in
            switch changes[name] {
            case nil: "\"\(name)\":\(value)"
            case .some(let new): new.map { "\"\(name)\":\($0)" }
            }
        }
        return "{" + changed.joined(separator: ",\r\n  ") + "}\n"
    }

    private func refusal(of text: String) throws -> String {
        let error = try #require(throws: OperatorError.self) { try ServiceAccount(json: Array(text.utf8)) }
        #expect(!error.description.contains("gserviceaccount"))
        #expect(!error.description.contains("-----BEGIN PRIVATE"))
        return error.description
    }

    @Test
    func `Three fields are read and no others`() throws {
        let account = try ServiceAccount(json: Array(try file().utf8))
        #expect(account.email == "driver@project.iam.gserviceaccount.com")
        #expect(account.keyID == "key-1")
        #expect(account.key.publicKey == (try Accounts.first().key.publicKey))
        #expect(Mirror(reflecting: account).children.compactMap(\.label).sorted() == ["email", "key", "keyID"])
        #expect(account.jwk == JWK(account.key.publicKey, keyID: "key-1"))
    }

    @Test(
        arguments: [
            ("authorized_user", "gcloud auth application-default login"),
            ("external_account", "workload identity federation"),
            ("impersonated_service_account", "impersonate"), ("gdch_service_account", "another type"),
        ]
    )
    func `Other credentials of Google's are named, with what to do instead`(type: String, name: String) throws {
        let text = try refusal(of: #"{"type":"\#(type)","client_id":"1"}"#)
        #expect(text.contains(name))
        #expect(text.contains("iam-accounts keys create") || text.contains("service-accounts keys create"))
        #expect(try refusal(of: #"{"installed":{"client_id":"1"}}"#).contains("OAuth client"))
    }

    @Test
    func `A key that was pasted with other white space is the same, and one that was escaped twice is named`() throws {
        let expected = try ServiceAccount(json: Array(try file().utf8))
        let key = String(decoding: try Accounts.first().key.pem(), as: UTF8.self)
        func text(_ end: String) throws -> String {
            try file(["private_key": "\"\(key.replacing("\n", with: end))\""])
        }
        for end in [" ", #"\r\n"#, #"\n\n    "#] {
            #expect(try ServiceAccount(json: Array(try text(end).utf8)) == expected)
        }
        #expect(try ServiceAccount(json: Array("\u{FEFF}\(try file())".utf8)) == expected)
        let escaped = try refusal(of: try text(#"\\n"#))
        #expect(escaped.contains(#"has \n as two characters"#))
        #expect(!key.split(separator: "\n").dropFirst().contains { escaped.contains($0) })
    }

    @Test
    func `Uses no address from the file`() throws {
        let account = try ServiceAccount(json: Array(try file().utf8))
        let written = String(decoding: try account.encoded(), as: UTF8.self)
        for word in ["169.254", "file:", "example.invalid", "_uri", "universe"] { #expect(!written.contains(word)) }
        for name in ["type", "project_id", "client_id", "auth_uri", "token_uri", "universe_domain"] {
            for value in [nil, "null", "5", "[]"] as [String?] {
                #expect(try ServiceAccount(json: Array(try file([name: value]).utf8)).email == account.email)
            }
        }
    }

    @Test(
        arguments: ["client_email", "private_key_id", "private_key"],
        [nil, "null", "5", "true", "[]", "{}", #""""#]
    )
    func `A field that is missing or no text is named`(name: String, value: String?) throws {
        #expect(try refusal(of: try file([name: value])).contains(name))
    }

    @Test(arguments: ["client_email", "private_key_id", "private_key", "token_uri"])
    func `A duplicate field is refused`(name: String) throws {
        let text = try file().dropLast(2) + #","\#(name)":"x"}"#
        #expect(try refusal(of: String(text)).contains("duplicate member"))
    }

    @Test(
        arguments: [
            (
                "client_email", "email address",
                [
                    "a", "@", "a@", "@b", "a@b@c", "a b@c", "a@b\\n", "a@b\\u0000", "a@\\u00e9", "\\u212a@b", " a@b",
                    String(repeating: "a", count: 253) + "@b", "\\u202ea@b",
                ]
            ),
            (
                "private_key_id", "key ID",
                [" ", "a b", "a\\n", "a\\u0000", "\\u00e9", String(repeating: "a", count: 129)]
            ),
        ]
    )
    func `An invalid address or key ID is refused`(field: String, words: String, values: [String]) throws {
        for value in values { #expect(try refusal(of: try file([field: "\"\(value)\""])).contains(words), "\(value)") }
    }

    @Test(
        arguments: [
            ("x", "not PEM"), ("-----BEGIN PRIVATE KEY-----", "-----END"),
            ("-----BEGIN ENCRYPTED PRIVATE KEY-----\\nAAAA\\n-----END ENCRYPTED PRIVATE KEY-----", "cannot be decoded"),
            ("-----BEGIN PRIVATE KEY-----\\\\nAAAA\\\\n-----END PRIVATE KEY-----", "as two characters"),
            ("-----BEGIN PUBLIC KEY-----\\nAAAA\\n-----END PUBLIC KEY-----", "public key"),
        ]
    )
    func `The error says what is wrong with the key`(text: String, words: String) throws {
        let refusal = try refusal(of: try file(["private_key": "\"\(text)\""]))
        #expect(refusal.hasPrefix("private_key: "))
        #expect(refusal.contains(words))
    }

    @Test(
        arguments: [
            "", " ", "null", "[]", "5", #""text""#, "{", "{}", "{}x", "\u{FEFF}{}", "-----BEGIN PRIVATE KEY-----",
            "<html>", "\u{0}",
            #"{"type":"authorized_user","client_id":"1","client_secret":"s","refresh_token":"r"}"#,
            #"{"type":"external_account","audience":"a","token_url":"https://example.invalid"}"#,
        ]
    )
    func `Other files are refused`(text: String) throws {
        #expect(try refusal(of: text).contains("service account"))
    }
}
