/// A signature algorithm of RFC 7518 section 3.1 or RFC 8037 section 3.1, with a public key.
package enum JWSAlgorithm: String, Sendable, CaseIterable {
    /// RSASSA-PKCS1-v1_5 with SHA-256.
    case rs256 = "RS256"
    /// RSASSA-PKCS1-v1_5 with SHA-384.
    case rs384 = "RS384"
    /// RSASSA-PKCS1-v1_5 with SHA-512.
    case rs512 = "RS512"
    /// RSASSA-PSS with SHA-256, and a salt of 32 bytes.
    case ps256 = "PS256"
    /// RSASSA-PSS with SHA-384, and a salt of 48 bytes.
    case ps384 = "PS384"
    /// RSASSA-PSS with SHA-512, and a salt of 64 bytes.
    case ps512 = "PS512"
    /// ECDSA on P-256 with SHA-256.
    case es256 = "ES256"
    /// ECDSA on P-384 with SHA-384.
    case es384 = "ES384"
    /// ECDSA on P-521 with SHA-512.
    case es512 = "ES512"
    case edDSA = "EdDSA"

    /// The algorithms that are accepted where none are named.
    package static let usual: [Self] = [.rs256, .ps256, .es256, .edDSA]

    /// libcrypto's name of the hash function; nil where it belongs to the algorithm.
    var digestName: String? {
        switch self {
        case .rs256, .ps256, .es256: "SHA2-256"
        case .rs384, .ps384, .es384: "SHA2-384"
        case .rs512, .ps512, .es512: "SHA2-512"
        case .edDSA: nil
        }
    }

    var isPSS: Bool { self == .ps256 || self == .ps384 || self == .ps512 }
}
