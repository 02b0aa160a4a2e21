import FleetToken
import TestSupport
import Testing
import TokenService

@testable import JOSE
@testable import TokenMinting

struct SecrecyTests {
    /// What may appear nowhere: the key's private numbers and file, and the token's payload and signature.
    private struct Secrets {
        /// Eight bytes in a row of any of them.
        private var windows: Set<[UInt8]> = []

        init(pem: [UInt8], token: [UInt8]) throws {
            let key = try PEM(pem).privateKey()
            for name in ["d", "rsa-factor1", "rsa-factor2", "rsa-exponent1", "rsa-exponent2", "rsa-coefficient1"] {
                add(try key.number(name))
            }
            for line in pem.split(separator: 0x0A) where !line.starts(with: Array("-----".utf8)) { add(Array(line)) }
            for part in token.split(separator: UInt8(ascii: ".")).dropFirst() { add(Array(part)) }
        }

        private mutating func add(_ secret: [UInt8]) {
            for index in 0...(secret.count - 8) { windows.insert(Array(secret[index..<(index + 8)])) }
        }

        func isShown(in bytes: [UInt8]) -> Bool {
            guard bytes.count >= 8 else { return false }
            return (0...(bytes.count - 8)).contains { windows.contains(Array(bytes[$0..<($0 + 8)])) }
        }

        /// Whether a text shows them as they are, or as the numbers of an array.
        func isShown(in text: String) -> Bool {
            let numbers = text.split { !$0.isNumber }.compactMap { UInt8($0) }
            return isShown(in: Array(text.utf8)) || isShown(in: numbers)
        }

        /// Whether reflection leads to them.
        func isReflected(by value: Any) -> Bool {
            if let bytes = value as? [UInt8], isShown(in: bytes) { return true }
            if let text = value as? String, isShown(in: text) { return true }
            return Mirror(reflecting: value).children.contains { isReflected(by: $0.value) }
        }
    }

    private func values() async throws -> (Secrets, [Any]) {
        let account = try SampleToken.account()
        let signer = LocalSigner(account)
        let minter = TokenMinter(signers: [.consumer: signer])
        let scope = try TokenScope(kind: .consumer, id: "trip-1")
        let minted = try await minter.mint(scope, now: SampleToken.now)
        let token = minted.token.reveal()
        let jws = try CompactJWS(parsing: token)
        let inspection = try TokenInspection(of: token, now: SampleToken.now)
        let keys = VerificationKeys.set(try minter.keys())
        let verification = TokenVerification(of: token + token, keys: keys, scope: scope, now: SampleToken.now)
        let values: [Any] = [
            account, account.key, account.key.publicKey, account.jwk, try minter.keys(), keys, signer, minter, minted,
            minted.response(at: SampleToken.now), jws, jws.header, inspection, inspection.jws, verification,
            verification.failures,
            TokenVerification(of: token, keys: keys, scope: .server, now: SampleToken.now + 10_000),
        ]
        return (try Secrets(pem: try account.key.pem(), token: token), values)
    }

    /// All errors that a key or token leads to when it is given where it doesn't belong, or damaged.
    private func errors() async throws -> [any Error] {
        let account = try SampleToken.account()
        let pem = try account.key.pem()
        let json = try account.encoded()
        let token = try SampleToken.signed()
        var errors: [any Error] = []
        for bytes in [
            pem, json, token, Array(pem.dropLast(40)), Array(json.dropLast(40)), Array(token.dropLast(40)), pem + pem,
        ] {
            for read in [
                { _ = try RSAPrivateKey(pem: $0) }, { _ = try RSAPublicKey(pem: $0) },
                { _ = try CompactJWS(parsing: $0) },
                { _ = try JWKSet(parsing: $0) }, { _ = try ServiceAccount(json: $0) },
                { _ = try JWSHeader(parsing: $0) },
                { _ = try CompactJWS(parsing: $0).verify(with: try SampleToken.otherKey.get().publicKey) },
            ] as [([UInt8]) throws -> Void] {
                do { try read(bytes) } catch { errors.append(error) }
            }
        }
        return errors
    }

    @Test
    func `No value and no error shows a key or token`() async throws {
        let (secrets, values) = try await values()
        let errors = try await errors()
        #expect(errors.count > 30)
        for value in values + errors {
            var dumped = ""
            dump(value, to: &dumped)
            let texts = ["\(value)", String(describing: value), String(reflecting: value), dumped]
            // A value of its own, since a failed expectation shows all that stands in it.
            let isShown = texts.contains { secrets.isShown(in: $0) } || secrets.isReflected(by: value)
            #expect(!isShown, "\(type(of: value))")
        }
    }
}
