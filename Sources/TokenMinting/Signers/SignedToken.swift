package import FleetToken
package import JOSE

/// A payload signed by a signer.
package struct SignedToken: Sendable {
    /// The compact JWS.
    package let token: Secret
    /// The public key that verifies it, under the `kid` that it was signed with.
    package let jwk: JWK
}
