import FleetToken
import Foundation
import Testing

struct SecretTests {
    private static let text = "eyJhbGciOiJSUzI1NiJ9.hunter2"
    private static let secret = Secret(text)

    private struct Holder {
        let secret: Secret
        let list: [Secret]
        let table: [String: Secret?]
    }

    private enum Failure: Error {
        case rejected(Secret)
    }

    private static let values: [any Sendable] = [
        secret, [secret], ["key": secret], Optional(secret) as Any as? Secret, (secret, 1), Failure.rejected(secret),
        Set([secret]), Result<Secret, Failure>.failure(.rejected(secret)),
        TokenResponse(token: secret, issuedAt: Samples.now, expiresAt: Samples.now, now: Samples.now),
    ]

    /// The text, its bytes as Swift would list them, and its base64.
    private func leaks(_ output: String) -> Bool {
        let bytes = Array(Self.text.utf8)
        return ["hunter2", "eyJ", "\(bytes)".dropFirst().prefix(20), Data(bytes).base64EncodedString().prefix(12)]
            .contains { output.contains($0) }
    }

    @Test
    func `A secret has no description and no children`() {
        #expect(Self.secret.description == "<redacted>")
        #expect(String(reflecting: Self.secret) == "<redacted>")
        #expect("\(Self.secret)" == "<redacted>")
        #expect(Mirror(reflecting: Self.secret).children.isEmpty)
        #expect(Mirror(reflecting: Self.secret).displayStyle == nil)
    }

    @Test
    func `A secret is redacted inside any value`() {
        let holder = Holder(secret: Self.secret, list: [Self.secret], table: ["a": Self.secret])
        for value in Self.values as [Any] + [holder] {
            var dumped = ""
            dump(value, to: &dumped)
            var printed = ""
            print(value, to: &printed)
            debugPrint(value, to: &printed)
            let outputs = [dumped, printed, "\(value)", String(describing: value), String(reflecting: value)]
            #expect(!outputs.contains { leaks($0) })
            #expect(outputs.allSatisfy { $0.contains("<redacted>") })
        }
    }

    @Test
    func `No mirror reaches the bytes`() {
        func descendants(_ value: Any, depth: Int = 0) -> [Any] {
            guard depth < 8 else { return [] }
            return [value] + Mirror(reflecting: value).children.flatMap { descendants($0.value, depth: depth + 1) }
        }
        for value in Self.values as [Any] {
            let all = descendants(value)
            #expect(all.contains { $0 is Secret })
            #expect(!all.contains { $0 is [UInt8] || $0 is UInt8 || $0 is Data })
        }
    }

    @Test
    func `A secret has no coding`() {
        for type in [Secret.self, TokenResponse.self, FleetClaims.self] as [Any.Type] {
            #expect(!(type is any Encodable.Type))
            #expect(!(type is any Decodable.Type))
        }
        #expect(!(Secret.self is any LosslessStringConvertible.Type))
        #expect(!(Secret.self is any RawRepresentable.Type))
        #expect(!JSONSerialization.isValidJSONObject([Self.secret]))
        #expect(!leaks("\((Self.secret as Any) as? NSObject as Any)"))
    }

    @Test
    func `A secret reveals the given bytes`() {
        #expect(Self.secret.reveal() == Array(Self.text.utf8))
        #expect(Self.secret.revealText() == Self.text)
        #expect(Secret([0x66, 0xFF, 0x00]).reveal() == [0x66, 0xFF, 0x00])
        #expect(Secret([0x66, 0xFF]).revealText() == "f\u{FFFD}")
        #expect(Secret("").reveal() == [])
    }

    @Test(
        arguments: [
            ("", "a"), ("a", "b"), ("a", "ab"), ("ab", "b"), ("abc", "abd"), ("abc", "bbc"),
            ("caf\u{E9}", "cafe\u{301}"),
        ]
    )
    func `Secrets are equal only if their bytes are`(first: String, second: String) {
        #expect(Secret(first) == Secret(Array(first.utf8)))
        #expect(Secret(first).hashValue == Secret(Array(first.utf8)).hashValue)
        #expect(Secret(first) != Secret(second))
    }
}
