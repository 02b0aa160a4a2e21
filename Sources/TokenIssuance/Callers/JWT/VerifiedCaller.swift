import Crypto

/// A caller and the keys that verified its token.
struct VerifiedCaller: Sendable {
    /// The caller.
    let caller: Caller
    /// The issuer's keys, as they are now.
    let keys: IssuerKeys
    /// The fingerprint of the key set as it was then.
    let fingerprint: SHA256Digest
}
