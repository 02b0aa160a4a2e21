import JOSE
import TestSupport
import Testing

/// Something that people give for a private key and that is none, or none to be used.
struct UnusableKey: Sendable, CustomTestStringConvertible {
    /// What it is.
    let testDescription: String
    /// What the error must say, at least; faults with other words have other messages.
    let words: String
    /// The file's content.
    let pem: @Sendable () throws -> [UInt8]

    private init(_ name: String, _ words: String, _ pem: @escaping @Sendable () throws -> [UInt8]) {
        (testDescription, self.words, self.pem) = (name, words, pem)
    }

    static let all: [Self] =
        files + numbers + [
            Self("encrypted PKCS#8", "openssl pkey -in") { try genuine().pkcs8(passphrase: "passphrase") },
            Self("encrypted PKCS#1", "openssl pkey -in") { try genuine().traditional(passphrase: "passphrase") },
            Self("EC", "type EC") { try LibcryptoKey("EC").pkcs8() },
            Self("EC in its own format", "type EC") { try LibcryptoKey("EC").traditional() },
            Self("RSA-PSS", "type RSA-PSS") { try LibcryptoKey("RSA-PSS").pkcs8() },
            Self("Ed25519", "type ED25519") { try LibcryptoKey("ED25519").pkcs8() },
            Self("1024 bits", "1024 bits") { try LibcryptoKey("RSA", bits: 1024).pkcs8() },
            Self("public key", "public key or certificate") { try genuine().publicKey() },
            Self("public key in PKCS#1", "public key or certificate") {
                let key = try RSAPublicKey(pem: try genuine().publicKey())
                return DER.pem("RSA PUBLIC KEY", DER.rsaPublicKey(modulus: key.modulus, exponent: key.exponent))
            },
            Self("certificate", "public key or certificate") { try genuine().certificate() },
            Self("several blocks", "several PEM blocks") { try pkcs8() + (try SharedKeys.otherLibcryptoKey().pkcs8()) },
            Self("certificate and key", "several PEM blocks") { try genuine().certificate() + pkcs8() },
            Self("damaged block before the key", "several PEM blocks") {
                try DER.pem("PRIVATE KEY", [0x30, 0x03, 0x02, 0x01, 0x00]) + pkcs8()
            },
        ]

    /// Texts that are no key, or are no more.
    private static let files: [Self] = [
        Self("signing request", "PKCS#8") { try relabelled("CERTIFICATE REQUEST") },
        Self("OpenSSH", "PKCS#8") { try relabelled("OPENSSH PRIVATE KEY") },
        Self("damaged base64", "cannot be decoded") { try pkcs8(with: Array("!?".utf8)) },
        Self("NUL", "cannot be decoded") { try pkcs8(with: [0]) },
        Self("damaged DER", "cannot be decoded") {
            DER.pem("PRIVATE KEY", [0x30, 0x82, 0x04, 0xBD, 0x02, 0x01, 0x00])
        },
        Self("half of a body", "cannot be decoded") {
            try pkcs8().prefix(800) + Array("\n-----END PRIVATE KEY-----\n".utf8)
        },
        Self("no end", "-----END line is missing") { try Array(pkcs8().prefix(800)) },
        Self("another end", "-----END line is missing") {
            try pkcs8().dropLast(26) + Array("-----END RSA PRIVATE KEY-----\n".utf8)
        },
        Self("label cut off", "-----BEGIN line is cut off") { Array("-----BEGIN PRIVATE KEY".utf8) },
        Self("empty", "not PEM") { [] },
        Self("base64 alone", "not PEM") { Array("MIIEvQIBADANBgkqhkiG9w0BAQEFAASC".utf8) },
        Self("DER", "not PEM") { [0x30, 0x82, 0x04, 0xBD, 0x02, 0x01, 0x00, 0x30, 0x0D, 0x06, 0x09] },
        Self("too large", "64 KiB") { try pkcs8() + [UInt8](repeating: 0x0A, count: 64 * 1024) },
    ]

    /// Keys with a wrong number.
    private static let numbers: [Self] = [
        Self("8200 bits", "8200 bits") { try numbers { $0.n = [UInt8](repeating: 0xFF, count: 8200 / 8) } },
        Self("another modulus", "inconsistent") { try numbers { $0.n = try other().n } },
        Self("even exponent", "exponent") { try numbers { $0.e = [1, 0, 0] } },
        Self("exponent of one", "exponent") { try numbers { $0.e = [1] } },
    ]

    private static func genuine() throws -> LibcryptoKey { try SharedKeys.libcryptoKey() }
    private static func other() throws -> RSANumbers { try RSANumbers(try SharedKeys.otherLibcryptoKey()) }

    private static func pkcs8(with insertion: [UInt8] = []) throws -> [UInt8] {
        let pem = try genuine().pkcs8()
        return pem.prefix(800) + insertion + pem.dropFirst(800)
    }

    private static func relabelled(_ label: String) throws -> [UInt8] {
        Array(String(decoding: try pkcs8(), as: UTF8.self).replacing(" PRIVATE KEY", with: " " + label).utf8)
    }

    private static func numbers(_ change: (inout RSANumbers) throws -> Void) throws -> [UInt8] {
        var numbers = try RSANumbers(try genuine())
        try change(&numbers)
        return numbers.pem
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
