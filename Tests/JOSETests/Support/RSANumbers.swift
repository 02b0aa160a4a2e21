import COpenSSL
import TestSupport

@testable import JOSE

/// The numbers of an RSA private key (RFC 8017 section 3.2), to be mixed up.
struct RSANumbers {
    var n: [UInt8]
    var e: [UInt8]
    var d: [UInt8]
    var p: [UInt8]
    var q: [UInt8]
    var dp: [UInt8]
    var dq: [UInt8]
    var qi: [UInt8]

    /// Takes a key apart.
    init(_ key: LibcryptoKey) throws {
        EVP_PKEY_up_ref(key.pointer)
        let key = EVPKey(owning: key.pointer)
        n = try key.number(OSSL_PKEY_PARAM_RSA_N)
        e = try key.number(OSSL_PKEY_PARAM_RSA_E)
        d = try key.number(OSSL_PKEY_PARAM_RSA_D)
        p = try key.number("rsa-factor1")
        q = try key.number("rsa-factor2")
        dp = try key.number("rsa-exponent1")
        dq = try key.number("rsa-exponent2")
        qi = try key.number("rsa-coefficient1")
    }

    /// The key in PKCS#1.
    var pem: [UInt8] {
        DER.pem(
            "RSA PRIVATE KEY",
            DER.sequence(
                DER.integer([0]),
                DER.integer(n),
                DER.integer(e),
                DER.integer(d),
                DER.integer(p),
                DER.integer(q),
                DER.integer(dp),
                DER.integer(dq),
                DER.integer(qi)
            )
        )
    }
}
