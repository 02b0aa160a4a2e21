package import FleetToken
import JOSE

extension KeyRing {
    /// Lets each signer sign a token, which is verified with the key that is published and then dropped.
    ///
    /// - Throws: ``MintingError`` or ``PKCS11Error`` that says which key cannot sign and why, or ``TokenError`` when what
    ///   signs elsewhere cannot be asked now.
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
            // A trip that no operator has: the token opens nothing, whoever it is signed for.
            let scope = TokenScope.consumer(trip: try ResourceID("fleet-token-self-test"))
            _ = try await TokenMinter(signers: [.consumer: Doubted(signer: self)]).mint(scope, now: now)
        } catch let error as MintingError {
            throw error
        } catch let error as TokenError {
            throw error
        } catch let error as PKCS11Error {
            throw error
        } catch {
            let key = publicKeys.first.map { "The key \($0.keyID)" } ?? "What signs"
            throw MintingError(.wrongToken, "\(key) of \(issuer) cannot sign. Replace it by a new one.")
        }
    }
}

/// A signer that isn't believed, wherever its key is.
private struct Doubted: TokenSigner {
    let signer: any TokenSigner

    var issuer: String { signer.issuer }
    var publicKeys: [JWK] { signer.publicKeys }

    func sign(payload: [UInt8]) async throws -> SignedToken { try await signer.sign(payload: payload) }
}
