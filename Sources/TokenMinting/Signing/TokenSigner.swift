public import JOSE

/// Something that signs payloads for one service account.
public protocol TokenSigner: Sendable {
    /// `iss` and `sub` of what it signs.
    var issuer: String { get }

    /// The public key that verifies what it signs, under the `kid` that it signs with.
    var jwk: JWK { get }

    /// Signs a payload with RS256.
    ///
    /// - Returns: The compact JWS.
    func sign(payload: [UInt8]) async throws -> [UInt8]
}
