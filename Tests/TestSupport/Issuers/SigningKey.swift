import Crypto
import CryptoExtras
package import FleetToken
import Foundation
package import JOSE

/// A private key of an issuer's, with all that an issuer does with one.
package struct SigningKey: Sendable {
    private enum Material: Sendable {
        case rsa(_RSA.Signing.PrivateKey)
        case p256(P256.Signing.PrivateKey)
        case p384(P384.Signing.PrivateKey)
        case p521(P521.Signing.PrivateKey)
        case ed25519(Curve25519.Signing.PrivateKey)
    }

    package let id: String
    package let algorithm: JWSAlgorithm
    private let material: Material

    /// A new key.
    package init(id: String, _ algorithm: JWSAlgorithm) throws {
        self.id = id
        self.algorithm = algorithm
        switch algorithm {
        case .rs256, .rs384, .rs512, .ps256, .ps384, .ps512:
            material = .rsa(try _RSA.Signing.PrivateKey(keySize: .bits2048))
        case .es256: material = .p256(P256.Signing.PrivateKey())
        case .es384: material = .p384(P384.Signing.PrivateKey())
        case .es512: material = .p521(P521.Signing.PrivateKey())
        case .edDSA: material = .ed25519(Curve25519.Signing.PrivateKey())
        }
    }

    /// The same key under another name, or for another algorithm.
    package init(_ key: SigningKey, id: String? = nil, algorithm: JWSAlgorithm? = nil) {
        self.id = id ?? key.id
        self.algorithm = algorithm ?? key.algorithm
        material = key.material
    }

    /// A key for each algorithm, made once, since RSA keys take their time.
    package static let all = Result {
        Dictionary(
            uniqueKeysWithValues: try JWSAlgorithm.allCases.map { ($0, try SigningKey(id: "key-\($0.rawValue)", $0)) }
        )
    }

    package static func shared(_ algorithm: JWSAlgorithm) throws -> SigningKey {
        guard let key = try all.get()[algorithm] else { throw CancellationError() }
        return key
    }

    /// The public key as a JWK, with or without `alg`.
    package func jwk(withAlgorithm: Bool = false) throws -> [String: JSONValue] {
        var jwk: [String: JSONValue] = ["kid": .string(id), "use": .string("sig")]
        if withAlgorithm { jwk["alg"] = .string(algorithm.rawValue) }
        switch material {
        case .rsa(let key):
            let numbers = try key.publicKey.getKeyPrimitives()
            jwk["kty"] = .string("RSA")
            jwk["n"] = .base64URL(numbers.modulus)
            jwk["e"] = .base64URL(numbers.publicExponent)
        case .p256(let key): jwk.setPoint(key.publicKey.rawRepresentation, on: "P-256")
        case .p384(let key): jwk.setPoint(key.publicKey.rawRepresentation, on: "P-384")
        case .p521(let key): jwk.setPoint(key.publicKey.rawRepresentation, on: "P-521")
        case .ed25519(let key):
            jwk["kty"] = .string("OKP")
            jwk["crv"] = .string("Ed25519")
            jwk["x"] = .base64URL(key.publicKey.rawRepresentation)
        }
        return jwk
    }

    package func signature(over message: [UInt8]) throws -> [UInt8] {
        switch material {
        case .rsa(let key):
            let padding: _RSA.Signing.Padding = algorithm.rawValue.hasPrefix("PS") ? .PSS : .insecurePKCS1v1_5
            let signature =
                switch algorithm {
                case .rs384, .ps384: try key.signature(for: SHA384.hash(data: message), padding: padding)
                case .rs512, .ps512: try key.signature(for: SHA512.hash(data: message), padding: padding)
                default: try key.signature(for: SHA256.hash(data: message), padding: padding)
                }
            return Array(signature.rawRepresentation)
        case .p256(let key): return Array(try key.signature(for: message).rawRepresentation)
        case .p384(let key): return Array(try key.signature(for: message).rawRepresentation)
        case .p521(let key): return Array(try key.signature(for: message).rawRepresentation)
        case .ed25519(let key): return Array(try key.signature(for: message))
        }
    }

    /// A token of a header and a payload, whatever they are.
    package func token(header: [UInt8], payload: [UInt8]) throws -> String {
        let message = Base64URL.encode(header) + [UInt8(ascii: ".")] + Base64URL.encode(payload)
        let token = message + [UInt8(ascii: ".")] + Base64URL.encode(try signature(over: message))
        return String(decoding: token, as: UTF8.self)
    }

    /// A token of these claims.
    package func token(claims: [String: JSONValue]) throws -> String {
        let header: [String: JSONValue] = ["alg": .string(algorithm.rawValue), "kid": .string(id)]
        return try token(header: header.json, payload: claims.json)
    }

    /// The public half in PEM; empty unless it is an RSA key.
    package var publicKeyPEM: [UInt8] {
        guard case .rsa(let key) = material else { return [] }
        return Array(key.publicKey.pemRepresentation.utf8)
    }
}

extension JSONValue {
    package static func base64URL(_ bytes: some Collection<UInt8>) -> JSONValue {
        .string(String(decoding: Base64URL.encode(bytes), as: UTF8.self))
    }
}

extension [String: JSONValue] {
    /// Makes it a key with a point, whose bytes are x and y.
    fileprivate mutating func setPoint(_ point: Data, on curve: String) {
        self["kty"] = .string("EC")
        self["crv"] = .string(curve)
        self["x"] = .base64URL(point.prefix(point.count / 2))
        self["y"] = .base64URL(point.suffix(point.count / 2))
    }

    /// The object's JSON, its members in alphabetical order.
    package var json: [UInt8] {
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
    package var keySet: [UInt8] {
        [UInt8](#"{"keys":["#.utf8) + map(\.json).joined(separator: [UInt8](",".utf8)) + [UInt8]("]}".utf8)
    }
}
