public import FleetToken
public import JOSE

/// What a signer made of a payload.
public struct SignedToken: Sendable {
    /// The compact JWS.
    public let token: Secret
    /// The public key that verifies it, under the `kid` that it was signed with.
    public let jwk: JWK

    /// A token with its key.
    public init(token: Secret, jwk: JWK) {
        self.token = token
        self.jwk = jwk
    }
}
