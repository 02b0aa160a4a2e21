import FleetToken
import JOSE

/// A JWK and, behind the first NUL, a signature.
///
/// No signature is good for any key but the one that the standard prints for its own key.
@Sendable func fuzzVerification(_ bytes: [UInt8]) {
    let parts = bytes.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
    let signature = parts.count > 1 ? Array(parts[1]) : []
    if let jwk = try? JSONParser.parseObject(Array(parts[0]), maximumValues: 64),
        let key = try? JWK(parsing: jwk, for: JWSAlgorithm.allCases)
    {
        precondition(!key.algorithms.isEmpty)
        for algorithm in JWSAlgorithm.allCases {
            let isValid = key.isValidSignature(signature, of: PublishedKey.message, by: algorithm)
            precondition(!isValid || signature == PublishedKey.signature && algorithm == .edDSA)
        }
    }
    let isValid = PublishedKey.key?.isValidSignature(signature, of: PublishedKey.message, by: .edDSA)
    precondition(isValid == (signature == PublishedKey.signature))
}

/// The key and the signature of RFC 8037, appendix A.
private enum PublishedKey {
    static let key = (try? JSONParser.parseObject(Array(jwk.utf8))).flatMap {
        try? JWK(parsing: $0, for: JWSAlgorithm.allCases)
    }
    static let message = Array("eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc".utf8)
    static let signature = try? Base64URL.decode(
        Array("hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg".utf8)
    )
    private static let jwk = #"{"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}"#
}
