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
            _ = try await TokenMinter(signers: [.consumer: Doubted(signer: self)]).mint(scope, now: now)
        } catch let error as MintingError {
            throw error
        } catch let error as TokenError {
            throw error
        } catch let error as PKCS11Error {
            throw error
        } catch {
            let key = publicKeys.first.map { "The key \($0.keyID)" } ?? "The signer"
            throw MintingError(.wrongToken, "\(key) of \(issuer) failed to sign. Replace it.")
        }
    }
}

/// A signer whose results are always verified, even for a local key.
private struct Doubted: TokenSigner {
    let signer: any TokenSigner

    var issuer: String { signer.issuer }
    var publicKeys: [JWK] { signer.publicKeys }

    func sign(payload: [UInt8], for flow: Flow) async throws -> SignedToken {
        try await signer.sign(payload: payload, for: flow)
    }
}
