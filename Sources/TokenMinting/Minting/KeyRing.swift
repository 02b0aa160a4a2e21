package import FleetToken
package import JOSE
import StrictCoding

/// One kind's keys during a rotation: the signing key, and those that are only published.
///
/// It has no state: the time alone selects the signing key, so that a planned rotation happens automatically on all
/// replicas at once.
///
/// ## How it works
///
/// ```
///                  from                         promotion
/// next: published ──────► signs          next ────────────► current ────────────► previous
/// current: signs ───────► published      (published)        (signs)               (published until its tokens expired)
/// ```
///
/// With `next: {from: 2026-12-01T00:00:00Z}`, each replica signs with the next key from that second on, without a reload.
package struct KeyRing: Sendable {
    /// The state of a key in a rotation.
    package enum State: String, Hashable, Sendable, CaseIterable {
        /// It is published, and does not sign yet.
        case next
        /// It signs.
        case current
        /// It signed before; its tokens are still verified.
        case previous
    }

    /// The signer until the next one takes over.
    package let current: any TokenSigner
    /// The next signer, or the current one after its time.
    package let next: (any TokenSigner)?
    /// When the next signer takes over; nil if the keys are moved manually.
    private let from: NumericDate?
    private let previous: (any TokenSigner)?

    package init(
        current: any TokenSigner,
        next: (any TokenSigner)? = nil,
        from: NumericDate? = nil,
        previous: (any TokenSigner)? = nil
    ) {
        self.current = current
        self.next = next
        self.from = from
        self.previous = previous
    }

    /// The account that it signs for.
    package var issuer: String { current.issuer }

    package func signer(at now: NumericDate) -> any TokenSigner {
        guard let next, isPromoted(at: now) else { return current }
        return next
    }

    /// Returns whether the next key signs at a time.
    package func isPromoted(at now: NumericDate) -> Bool {
        guard next != nil, let from else { return false }
        return from <= now
    }

    /// All that sign, did, or will.
    package var signers: [any TokenSigner] {
        [current, next, previous].compactMap { $0 }
    }

    /// Returns the public keys and their states at a time; a key with two states gets the most active one.
    package func keys(at now: NumericDate) -> [(state: State, key: JWK)] {
        let places: [(State, (any TokenSigner)?)] =
            isPromoted(at: now)
            ? [(.current, next), (.previous, current), (.previous, previous)]
            : [(.current, current), (.next, next), (.previous, previous)]
        var keys: [(state: State, key: JWK)] = []
        for case (let state, let signer?) in places {
            for key in signer.publicKeys {
                guard !keys.contains(where: { $0.key.keyID.hasSameBytes(as: key.keyID) }) else { continue }
                keys.append((state, key))
            }
        }
        return keys
    }
}

// MARK: - The self-test

extension KeyRing {
    /// Lets each signer sign a token, which is verified with the key that is published and then dropped.
    ///
    /// - Throws: ``MintingError`` or the signer's error that names the failing key and the reason, or ``TokenError`` if a
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
        } catch  where error is MintingError || error is TokenError || error is IAMError {
            throw error
        } catch {
            let key = publicKeys.first.map { "The key \($0.keyID)" } ?? "The signer"
            throw MintingError("\(key) of \(issuer) failed to sign. Replace it.")
        }
    }
}
