/// A curve for ECDSA (RFC 7518 section 6.2.1.1).
enum EllipticCurve: String, CaseIterable {
    case p256 = "P-256"
    case p384 = "P-384"
    case p521 = "P-521"

    var algorithm: JWSAlgorithm {
        switch self {
        case .p256: .es256
        case .p384: .es384
        case .p521: .es512
        }
    }

    /// The number of bytes of a coordinate, and of each of a signature's two numbers.
    var size: Int {
        switch self {
        case .p256: 32
        case .p384: 48
        case .p521: 66
        }
    }

    /// Returns a signature of twice ``size`` bytes, its two numbers one after the other (RFC 7518 section 3.4), in DER (RFC 3279 section
    /// 2.2.3), which libcrypto takes.
    func der(_ signature: [UInt8]) -> [UInt8] {
        let numbers = Self.integer(signature.prefix(size)) + Self.integer(signature.suffix(size))
        return [0x30] + (numbers.count < 0x80 ? [] : [0x81]) + [UInt8(numbers.count)] + numbers
    }

    private static func integer(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        let digits = bytes.drop { $0 == 0 }
        // A first bit of 1 would make it negative, and nothing is no number.
        let number = (digits.first ?? 0xFF) & 0x80 == 0 ? Array(digits) : [0] + digits
        return [0x02, UInt8(number.count)] + number
    }
}
