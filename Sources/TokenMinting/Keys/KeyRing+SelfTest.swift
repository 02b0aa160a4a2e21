public import FleetToken
import JOSE

extension KeyRing {
    /// Lets each signer sign a token, which is verified with the key that is published and then dropped.
    ///
    /// - Throws: ``MintingError`` that says which key cannot sign and why.
    public func test(at now: NumericDate) async throws(MintingError) {
        for signer in signers { try await signer.test(at: now) }
    }
}

extension TokenSigner {
    /// Signs a token, which is verified with the published key and then dropped.
    ///
    /// - Throws: ``MintingError`` that says why not.
    public func test(at now: NumericDate) async throws(MintingError) {
        do {
            // A trip that no operator has: the token opens nothing, whoever it is signed for.
            let scope = TokenScope.consumer(trip: try ResourceID("fleet-token-self-test"))
            _ = try await TokenMinter(signers: [.consumer: self]).mint(scope, now: now)
        } catch let error as MintingError {
            throw error
        } catch {
            throw MintingError(.wrongToken, "The key \(jwk.keyID) of \(issuer) cannot sign. Replace it by a new one.")
        }
    }
}
