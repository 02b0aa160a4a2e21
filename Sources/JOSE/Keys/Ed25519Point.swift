import COpenSSL

/// Checks whether the 32 bytes of an Ed25519 public key (RFC 8032 section 5.1.2) are safe for verification.
///
/// Libraries accept any 32 bytes. With a key of small order, one forged signature is valid for every message.
package enum Ed25519Point {
    /// 2^255 - 19, and the y of the points whose order divides 8; all as they are encoded, without the sign of x.
    private static let prime = little(0xED, then: 0xFF, last: 0x7F)
    private static let smallOrder: [[UInt8]] = [
        little(0x00, then: 0x00, last: 0x00),
        little(0x01, then: 0x00, last: 0x00),
        little(0xEC, then: 0xFF, last: 0x7F),
        [
            0x26, 0xE8, 0x95, 0x8F, 0xC2, 0xB2, 0x27, 0xB0, 0x45, 0xC3, 0xF4, 0x89, 0xF2, 0xEF, 0x98, 0xF0,
            0xD5, 0xDF, 0xAC, 0x05, 0xD3, 0xC6, 0x33, 0x39, 0xB1, 0x38, 0x02, 0x88, 0x6D, 0x53, 0xFC, 0x05,
        ],
        [
            0xC7, 0x17, 0x6A, 0x70, 0x3D, 0x4D, 0xD8, 0x4F, 0xBA, 0x3C, 0x0B, 0x76, 0x0D, 0x10, 0x67, 0x0F,
            0x2A, 0x20, 0x53, 0xFA, 0x2C, 0x39, 0xCC, 0xC6, 0x4E, 0xC7, 0xFD, 0x77, 0x92, 0xAC, 0x03, 0x7A,
        ],
    ]

    private static func little(_ first: UInt8, then: UInt8, last: UInt8) -> [UInt8] {
        [first] + [UInt8](repeating: then, count: 30) + [last]
    }

    /// Why a key cannot be used.
    ///
    /// - Parameter key: The key's 32 bytes.
    /// - Returns: The problem, such as "x is of small order …"; nil for a safe point.
    package static func weakness(of key: [UInt8]) -> String? {
        guard key.count == 32, let last = key.last else { return "x is not 32 bytes" }
        let y = key.dropLast() + [last & 0x7F]
        guard !smallOrder.contains(Array(y)) else {
            return "x is a point of small order, for which signatures can be forged"
        }
        guard y.reversed().lexicographicallyPrecedes(prime.reversed()) else {
            return "x is not the canonical encoding of a point: y is 2^255 - 19 or more"
        }
        guard isOnCurve(Array(y)) else { return "x is not a point on the curve Ed25519" }
        return nil
    }

    /// Returns whether there is an x for a y: (y^2 - 1) / (d y^2 + 1) is a square, and with it (y^2 - 1) (d y^2 + 1).
    private static func isOnCurve(_ y: [UInt8]) -> Bool {
        Libcrypto.prepare()
        guard let context = BN_CTX_new() else { return false }
        defer { BN_CTX_free(context) }
        BN_CTX_start(context)
        defer { BN_CTX_end(context) }
        let numbers = (0..<4).compactMap { _ in BN_CTX_get(context) }
        guard numbers.count == 4 else { return false }
        let (p, u, v, power) = (numbers[0], numbers[1], numbers[2], numbers[3])
        // d = -121665 / 121666, so v = 121666 (d y^2 + 1) needs no division.
        guard BN_lebin2bn(prime, 32, p) != nil, BN_lebin2bn(y, 32, u) != nil, BN_mod_sqr(u, u, p, context) == 1,
            BN_copy(power, u) != nil, BN_mul_word(power, 121_665) == 1,
            BN_set_word(v, 121_666) == 1, BN_sub(v, v, power) == 1, BN_sub_word(u, 1) == 1,
            BN_mod_mul(u, u, v, p, context) == 1, BN_mul_word(u, 121_666) == 1,
            // Euler's criterion: a square's power to (p - 1) / 2 is 1.
            BN_rshift1(power, p) == 1, BN_mod_exp(u, u, power, p, context) == 1
        else { return false }
        return BN_is_one(u) == 1 || BN_is_zero(u) == 1
    }
}
