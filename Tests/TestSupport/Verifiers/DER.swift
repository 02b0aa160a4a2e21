import Foundation

/// Just enough DER (X.690) and PEM (RFC 7468) to write RSA keys, also ones that no library would make.
public enum DER {
    /// An unsigned integer, from its big-endian bytes.
    public static func integer(_ bytes: [UInt8]) -> [UInt8] {
        let digits = Array(bytes.drop { $0 == 0 })
        guard let first = digits.first else { return element(0x02, [0]) }
        return element(0x02, first < 0x80 ? digits : [0] + digits)
    }

    /// A sequence of encoded elements.
    public static func sequence(_ elements: [UInt8]...) -> [UInt8] {
        element(0x30, Array(elements.joined()))
    }

    /// A bit string of whole bytes.
    public static func bitString(_ bytes: [UInt8]) -> [UInt8] {
        element(0x03, [0] + bytes)
    }

    /// An RSA public key in PKCS#1 (RFC 8017 appendix A.1.1).
    public static func rsaPublicKey(modulus: [UInt8], exponent: [UInt8]) -> [UInt8] {
        sequence(integer(modulus), integer(exponent))
    }

    /// An RSA public key as a SubjectPublicKeyInfo (RFC 5280 section 4.1).
    public static func subjectPublicKeyInfo(modulus: [UInt8], exponent: [UInt8]) -> [UInt8] {
        let rsaEncryption: [UInt8] = [0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01]
        let null: [UInt8] = [0x05, 0x00]
        return sequence(
            sequence(rsaEncryption, null),
            bitString(rsaPublicKey(modulus: modulus, exponent: exponent))
        )
    }

    /// A PEM block.
    public static func pem(_ label: String, _ der: [UInt8]) -> [UInt8] {
        let base64 = Data(der).base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
        return Array("-----BEGIN \(label)-----\n\(base64)\n-----END \(label)-----\n".utf8)
    }

    private static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        let count = content.count
        let length: [UInt8] =
            switch count {
            case ..<0x80: [UInt8(count)]
            case ..<0x100: [0x81, UInt8(count)]
            default: [0x82, UInt8(count >> 8), UInt8(count & 0xFF)]
            }
        return [tag] + length + content
    }
}
