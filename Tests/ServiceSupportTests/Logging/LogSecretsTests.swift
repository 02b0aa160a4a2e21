import Logging
import TestRandomness
import Testing

@testable import ServiceSupport

@Suite("Secrets in log lines")
struct LogSecretsTests {
    private static let jwt =
        "eyJhbGciOiJSUzI1NiIsInR5cCI6IkpXVCJ9.eyJpc3MiOiJhQGIuYyIsInN1YiI6ImFAYi5jIn0.c2lnbmF0dXJl-_x"
    private static let pem = """
        -----BEGIN PRIVATE KEY-----
        MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQ
        -----END PRIVATE KEY-----
        """
    private static let apiKey = "ftk_3q2-7wAAAAB_deadbeef.cafe"

    private func fit(_ text: String) -> String {
        var budget = LogBudget()
        return budget.fit(text)
    }

    @Test(
        "A secret is replaced",
        arguments: [
            ("\(jwt)", "<redacted>"),
            ("Bearer \(jwt)", "Bearer <redacted>"),
            ("token=\(jwt)&x=1", "token=<redacted>&x=1"),
            ("\"\(jwt)\", \"\(jwt)\"", "\"<redacted>\", \"<redacted>\""),
            ("x\(jwt)", "x<redacted>"),
            ("header eyJhbGciOiJSUzI1NiJ9 only", "header <redacted> only"),
            ("cut off eyJhbGciOiJSUzI1NiJ9.eyJpc3M…", "cut off <redacted>…"),
            ("eyJhbGciOiJub25lIn0.e30.", "<redacted>"),
            ("\(pem)", "<redacted>"),
            ("key:\n\(pem)\nend", "key:\n<redacted>\nend"),
            ("-----BEGIN RSA PRIVATE KEY-----\\nMIIE\\n-----END RSA PRIVATE KEY-----\\n", "<redacted>\\n"),
            ("-----BEGIN CERTIFICATE-----\nMIIE\nwithout an end", "<redacted>"),
            ("-----BEGIN EC PRIVATE KEY-----\nMIIE\n-----END EC", "<redacted>"),
            ("\(jwt)\(pem)", "<redacted><redacted>"),
            ("\(apiKey)\(pem)", "<redacted><redacted>"),
            ("\(pem)\n\(pem)", "<redacted>\n<redacted>"),
            ("key \(apiKey) is unknown", "key <redacted> is unknown"),
            ("a\(apiKey)", "a<redacted>"),
            ("ftk_\(jwt)", "<redacted>"),
            ("é\(jwt)🚚", "é<redacted>🚚"),
        ]
    )
    func secrets(text: String, shown: String) {
        #expect(fit(text) == shown)
    }

    @Test(
        "Other text stays as it is",
        arguments: [
            "", "e", "ey", "eyJ", "eyJ.a.b", "f", "ftk", "ftk_", "the prefix ftk_ alone", "-", "-----", "-----BEGIN ",
            "This is not PEM: it has no -----BEGIN line.", "-----BEGIN lower case-----", "e-y-J",
            "EYJhbGciOiJSUzI1NiJ9",
            "vehicle-1234567890", "eye", "key",
        ]
    )
    func others(text: String) {
        #expect(fit(text) == text)
    }

    @Test("No part of a line has a secret", arguments: [false, true])
    func wholeLine(isTerminal: Bool) throws {
        struct Failure: Error, CustomStringConvertible {
            let description = "POST failed: \(LogSecretsTests.jwt) \(LogSecretsTests.apiKey) \(LogSecretsTests.pem)"
        }
        let recorder = LogRecorder()
        var logger = recorder.logger(LogFormat(isTerminal: isTerminal, environment: [:]), label: "l \(Self.jwt)")
        logger[metadataKey: "k \(Self.apiKey)"] = "v \(Self.pem)"
        logger.error(
            "m \(Self.jwt)",
            error: Failure(),
            metadata: [
                "n": [["k \(Self.jwt)": "\(Self.apiKey)"], .stringConvertible(Failure())],
                RequestAttribute.path.rawValue: "\(Self.jwt)",
            ]
        )
        let line = try recorder.line()
        for part in ["eyJ", "ftk_", "MIIE", "PRIVATE", "c2lnbmF0dXJl", "deadbeef"] {
            #expect(!line.contains(part))
        }
        #expect(line.contains("<redacted>"))
    }

    @Test(
        "A secret at the cut is replaced as a whole",
        arguments: [3_996, 4_093]
    )
    func secretAtTheCut(position: Int) {
        let filler = String(repeating: "x", count: position)
        for secret in [Self.jwt, Self.apiKey, Self.pem] {
            #expect(fit(filler + secret + "tail ").hasPrefix(filler + "<redacted>"))
        }
    }

    @Test("A secret after the cut is not shown")
    func secretAfterTheCut() {
        let text = fit(String(repeating: "x", count: 4_096) + Self.jwt)
        #expect(!text.contains("eyJ"))
    }

    /// Watched by the time limit: a search that starts over at each character would take hours.
    @Test(
        "The search is linear",
        .timeLimit(.minutes(1)),
        arguments: [
            "eyJ", "ftk_", "-----BEGIN ", "-----BEGIN A", "-----BEGIN A-----", "-----END ", "eyJ.ftk_-----", "-",
        ]
    )
    func linearSearch(piece: String) {
        let bytes = Array(String(repeating: piece, count: 20_000).utf8)
        var index = 0
        while index < bytes.count { index = SecretPattern.end(in: bytes, from: index) ?? index + 1 }
        #expect(index == bytes.count)
    }

    @Test("Nothing is left of a secret, whatever is around it", arguments: 0..<200)
    func randomTexts(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let secrets = [Self.jwt, Self.apiKey, Self.pem]
        let text = (0..<20).map { _ in
            Bool.random(using: &random) ? secrets[Int.random(in: 0..<3, using: &random)] : random.text()
        }.joined()
        let shown = fit(text)
        for part in ["eyJhbGci", "c2lnbmF0", "ftk_3q2", "MIIE", "deadbeef"] {
            #expect(!shown.contains(part))
        }
        #expect(fit(shown) == shown)
    }
}
