import Crypto
import CryptoExtras
import Foundation
import StrictCoding

@testable import ServiceConfiguration

/// A private key of an issuer's, with all that an issuer does with one.
struct SigningKey: Sendable {
    private enum Material: Sendable {
        case rsa(_RSA.Signing.PrivateKey)
        case p256(P256.Signing.PrivateKey)
        case ed25519(Curve25519.Signing.PrivateKey)
    }

    let id: String
    let algorithm: JWTAlgorithm
    private let material: Material

    /// A new key.
    init(id: String, _ algorithm: JWTAlgorithm) throws {
        self.id = id
        self.algorithm = algorithm
        switch algorithm {
        case .rs256, .ps256: material = .rsa(try _RSA.Signing.PrivateKey(keySize: .bits2048))
        case .es256: material = .p256(P256.Signing.PrivateKey())
        case .edDSA: material = .ed25519(Curve25519.Signing.PrivateKey())
        }
    }

    /// The same key under another name, or for another algorithm.
    init(_ key: SigningKey, id: String? = nil, algorithm: JWTAlgorithm? = nil) {
        self.id = id ?? key.id
        self.algorithm = algorithm ?? key.algorithm
        material = key.material
    }

    /// A key for each algorithm, made once, since RSA keys take their time.
    static let all = Result {
        Dictionary(
            uniqueKeysWithValues: try JWTAlgorithm.allCases.map { ($0, try SigningKey(id: "key-\($0.rawValue)", $0)) }
        )
    }

    static func shared(_ algorithm: JWTAlgorithm) throws -> SigningKey {
        guard let key = try all.get()[algorithm] else { throw CancellationError() }
        return key
    }

    /// The public half as a JWK, which says its `alg` or, as some issuers' keys do, doesn't.
    func jwk(withAlgorithm: Bool = false) throws -> [String: JSONValue] {
        var jwk: [String: JSONValue] = ["kid": .string(id), "use": .string("sig")]
        if withAlgorithm { jwk["alg"] = .string(algorithm.rawValue) }
        switch material {
        case .rsa(let key):
            let numbers = try key.publicKey.getKeyPrimitives()
            jwk["kty"] = .string("RSA")
            jwk["n"] = .base64URL(numbers.modulus)
            jwk["e"] = .base64URL(numbers.publicExponent)
        case .p256(let key):
            jwk["kty"] = .string("EC")
            jwk["crv"] = .string("P-256")
            jwk["x"] = .base64URL(key.publicKey.rawRepresentation.prefix(32))
            jwk["y"] = .base64URL(key.publicKey.rawRepresentation.suffix(32))
        case .ed25519(let key):
            jwk["kty"] = .string("OKP")
            jwk["crv"] = .string("Ed25519")
            jwk["x"] = .base64URL(key.publicKey.rawRepresentation)
        }
        return jwk
    }

    func signature(over message: [UInt8]) throws -> [UInt8] {
        switch material {
        case .rsa(let key):
            let padding: _RSA.Signing.Padding = algorithm == .ps256 ? .PSS : .insecurePKCS1v1_5
            return Array(try key.signature(for: message, padding: padding).rawRepresentation)
        case .p256(let key): return Array(try key.signature(for: message).rawRepresentation)
        case .ed25519(let key): return Array(try key.signature(for: message))
        }
    }

    /// A token of a header and a payload, whatever they are.
    func token(header: [UInt8], payload: [UInt8]) throws -> String {
        let message = Base64URL.encode(header) + [UInt8(ascii: ".")] + Base64URL.encode(payload)
        let token = message + [UInt8(ascii: ".")] + Base64URL.encode(try signature(over: message))
        return String(decoding: token, as: UTF8.self)
    }

    /// The RSA public key in the spellings that a confused verifier might take for an HMAC secret.
    func publicKeySpellings() throws -> [[UInt8]] {
        guard case .rsa(let key) = material else { return [] }
        let texts = [key.publicKey.pemRepresentation, key.publicKey.pkcs1PEMRepresentation]
        let spellings = texts.flatMap { [$0, $0 + "\n", " " + $0, $0.replacingOccurrences(of: "\n", with: "\r\n")] }
        return spellings.map { Array($0.utf8) } + [
            Array(key.publicKey.derRepresentation), Array(key.publicKey.pkcs1DERRepresentation),
            Array(try key.publicKey.getKeyPrimitives().modulus), Array(id.utf8), [],
        ]
    }
}

extension JSONValue {
    static func base64URL(_ bytes: some Collection<UInt8>) -> JSONValue {
        .string(String(decoding: Base64URL.encode(bytes), as: UTF8.self))
    }
}

extension [String: JSONValue] {
    /// The object's JSON, its members in alphabetical order.
    var json: [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            for (name, value) in sorted(by: { $0.key < $1.key }) {
                writer.name(text: name)
                writer.value(value)
            }
        }
        return writer.bytes
    }
}

extension [[String: JSONValue]] {
    /// A key set of these keys.
    var keySet: [UInt8] {
        [UInt8](#"{"keys":["#.utf8) + map(\.json).joined(separator: [UInt8](",".utf8)) + [UInt8]("]}".utf8)
    }
}
