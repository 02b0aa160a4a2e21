package import FleetToken
import JOSE

extension KeyRing {
    /// Lets each signer sign a token, which is verified with the key that is published and then dropped.
    ///
    /// - Throws: ``MintingError`` or ``PKCS11Error`` that names the failing key and the reason, or ``TokenError`` if a
    ///   remote signer is unavailable.
    package func test(at now: NumericDate) async throws {
        for signer in signers { try await signer.test(at: now) }
    }
}

extension TokenSigner {
    /// Signs a token, which is verified with the published key and then dropped.
    ///
    /// - Throws: As ``KeyRing/test(at:)`` does.
    package func test(at now: NumericDate) async throws {
        do {
            // A trip that does not exist: the token grants no access, with any signer.
            let scope = TokenScope.consumer(trip: try ResourceID("fleet-token-self-test"))
            _ = try await TokenMinter(rings: [.consumer: KeyRing(current: self)], verifiesLocal: true).mint(
                scope,
                now: now
            )
        } catch  where error is MintingError || error is TokenError || error is PKCS11Error {
            throw error
        } catch {
            let key = publicKeys.first.map { "The key \($0.keyID)" } ?? "The signer"
            throw MintingError(.wrongToken, "\(key) of \(issuer) failed to sign. Replace it.")
        }
    }
}
