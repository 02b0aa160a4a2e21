import JOSE
import TestSupport

/// Everything that people give for a private key and that is none, or none to be used.
enum UnusableKey: CaseIterable {
    case encryptedPKCS8, encryptedPKCS1, ec, ecTraditional, rsaPSS, ed25519, short, long
    case publicKey, publicPKCS1, certificate, signingRequest, openSSH
    case damagedBase64, damagedDER, shortBody, noEnd, otherEnd, noLabelEnd, nul
    case otherModulus, otherExponent, otherPrivateExponent, otherFactor, otherCoefficient, evenExponent, exponentOfOne
    case twoBlocks, damagedBeforeGenuine, certificateAndKey, empty, notPEM, binary, tooLarge

    /// The error's code.
    var code: JOSEError.Code {
        switch self {
        case .encryptedPKCS8, .encryptedPKCS1: .encryptedKey
        default: .invalidKey
        }
    }

    /// What the error must say, at least.
    var words: String {
        switch self {
        case .encryptedPKCS8, .encryptedPKCS1: "openssl pkey -in"
        case .ec, .ecTraditional: "type EC"
        case .rsaPSS: "type RSA-PSS"
        case .ed25519: "type ED25519"
        case .short: "1024 bits"
        case .long: "8200 bits"
        case .publicKey, .publicPKCS1, .certificate: "public key or certificate"
        case .signingRequest, .openSSH: "PKCS#8"
        case .damagedBase64, .damagedDER, .shortBody, .nul: "cannot be decoded"
        case .noEnd, .otherEnd: "-----END"
        case .noLabelEnd: "-----BEGIN line is cut off"
        case .otherModulus, .otherExponent, .otherPrivateExponent, .otherFactor, .otherCoefficient: "inconsistent"
        case .evenExponent, .exponentOfOne: "exponent"
        case .twoBlocks, .damagedBeforeGenuine, .certificateAndKey: "several PEM blocks"
        case .empty, .notPEM, .binary: "not PEM"
        case .tooLarge: "64 KiB"
        }
    }

    /// Whether another case stands for this one where only different faults count.
    var isLikeAnother: Bool {
        switch self {
        case .encryptedPKCS1, .ecTraditional, .publicPKCS1, .certificate, .openSSH, .damagedDER, .shortBody,
            .nul, .otherEnd, .otherExponent, .otherPrivateExponent, .otherFactor, .otherCoefficient, .exponentOfOne,
            .damagedBeforeGenuine, .certificateAndKey, .notPEM, .binary:
            true
        default: false
        }
    }

    /// The file's content.
    func pem() throws -> [UInt8] {
        switch self {
        case .ec: try LibcryptoKey("EC").pkcs8()
        case .ecTraditional: try LibcryptoKey("EC").traditional()
        case .rsaPSS: try LibcryptoKey("RSA-PSS").pkcs8()
        case .ed25519: try LibcryptoKey("ED25519").pkcs8()
        case .short: try LibcryptoKey("RSA", bits: 1024).pkcs8()
        case .long, .otherModulus, .otherExponent, .otherPrivateExponent, .otherFactor, .otherCoefficient,
            .evenExponent,
            .exponentOfOne:
            try numbers(of: try SharedKeys.libcryptoKey(), and: try SharedKeys.otherLibcryptoKey()).pem
        case .empty: []
        case .notPEM: Array("MIIEvQIBADANBgkqhkiG9w0BAQEFAASC".utf8)
        case .binary: [0x30, 0x82, 0x04, 0xBD, 0x02, 0x01, 0x00, 0x30, 0x0D, 0x06, 0x09]
        case .noLabelEnd: Array("-----BEGIN PRIVATE KEY".utf8)
        default: try damage(try SharedKeys.libcryptoKey())
        }
    }

    private func numbers(of key: LibcryptoKey, and other: LibcryptoKey) throws -> RSANumbers {
        var numbers = try RSANumbers(key)
        let other = try RSANumbers(other)
        switch self {
        case .long: numbers.n = [UInt8](repeating: 0xFF, count: 8200 / 8)
        case .otherModulus: numbers.n = other.n
        case .otherExponent: numbers.e = [3]
        case .otherPrivateExponent: numbers.d = other.d
        case .otherFactor: numbers.p = other.p
        case .otherCoefficient: numbers.qi = other.qi
        case .evenExponent: numbers.e = [1, 0, 0]
        default: numbers.e = [1]
        }
        return numbers
    }

    private func damage(_ key: LibcryptoKey) throws -> [UInt8] {
        let pkcs8 = try key.pkcs8()
        let publicKey = try RSAPublicKey(pem: try key.publicKey())
        let middle = pkcs8.count / 2
        switch self {
        case .encryptedPKCS8: return try key.pkcs8(passphrase: "passphrase")
        case .encryptedPKCS1: return try key.traditional(passphrase: "passphrase")
        case .publicKey: return try key.publicKey()
        case .publicPKCS1:
            return DER.pem(
                "RSA PUBLIC KEY",
                DER.rsaPublicKey(modulus: publicKey.modulus, exponent: publicKey.exponent)
            )
        case .certificate: return try key.certificate()
        case .signingRequest: return relabel(pkcs8, "CERTIFICATE REQUEST")
        case .openSSH: return relabel(pkcs8, "OPENSSH PRIVATE KEY")
        case .damagedBase64: return pkcs8[..<middle] + Array("!?".utf8) + pkcs8[middle...]
        case .damagedDER: return DER.pem("PRIVATE KEY", [0x30, 0x82, 0x04, 0xBD, 0x02, 0x01, 0x00])
        case .shortBody: return pkcs8[..<middle] + Array("\n-----END PRIVATE KEY-----\n".utf8)
        case .noEnd: return Array(pkcs8[..<middle])
        case .otherEnd: return pkcs8.dropLast(26) + Array("-----END RSA PRIVATE KEY-----\n".utf8)
        case .nul: return pkcs8[..<middle] + [0] + pkcs8[middle...]
        case .twoBlocks: return pkcs8 + (try SharedKeys.otherLibcryptoKey().pkcs8())
        case .damagedBeforeGenuine:
            return DER.pem("PRIVATE KEY", [0x30, 0x03, 0x02, 0x01, 0x00]) + pkcs8
        case .certificateAndKey: return try key.certificate() + pkcs8
        default: return pkcs8 + [UInt8](repeating: 0x0A, count: 64 * 1024 + 1 - pkcs8.count)
        }
    }

    private func relabel(_ pem: [UInt8], _ label: String) -> [UInt8] {
        Array(String(decoding: pem, as: UTF8.self).replacing(" PRIVATE KEY", with: " " + label).utf8)
    }
}

/// Looks for secrets where none may be.
enum Leak {
    /// Whether a text shows eight characters in a row of a PEM block's body.
    static func shows(_ pem: [UInt8], in text: String) -> Bool {
        let body = pem.split(separator: 0x0A).filter { !$0.starts(with: Array("-----".utf8)) }.joined()
        let secret = Array(body)
        let text = Array(text.utf8)
        guard secret.count >= 8, text.count >= 8 else { return false }
        let windows = Set((0...(secret.count - 8)).map { secret[$0..<($0 + 8)] })
        return (0...(text.count - 8)).contains { windows.contains(text[$0..<($0 + 8)]) }
    }
}
