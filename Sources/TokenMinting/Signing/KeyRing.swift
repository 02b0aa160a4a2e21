package import FleetToken
package import JOSE

/// One kind's keys through a rotation: the one that signs, and those that are published beside it.
///
/// It has no state of its own: which key signs follows from the time alone, so that a rotation that was planned happens
/// by itself, on all replicas at once.
package struct KeyRing: Sendable {
    /// Where a key stands in a rotation.
    package enum State: String, Hashable, Sendable, CaseIterable {
        /// It is published, and does not sign yet.
        case next
        /// It signs.
        case current
        /// It signed before; what it signed still verifies.
        case previous
    }

    /// What signs until the next one does.
    package let current: any TokenSigner
    /// What will sign, or does by now.
    package let next: (any TokenSigner)?
    private let from: NumericDate?
    private let previous: (any TokenSigner)?

    /// A ring.
    ///
    /// - Parameters:
    ///   - current: Signs.
    ///   - next: Will sign.
    ///   - from: When `next` begins to; nil leaves that to whoever moves the keys.
    ///   - previous: Signed before.
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

    /// What signs at a time.
    package func signer(at now: NumericDate) -> any TokenSigner {
        guard let next, isPromoted(at: now) else { return current }
        return next
    }

    /// Whether the next key signs by now.
    package func isPromoted(at now: NumericDate) -> Bool {
        guard next != nil, let from else { return false }
        return from <= now
    }

    /// The ring of what a function makes of its signers.
    package func map(_ transform: (any TokenSigner) -> any TokenSigner) -> KeyRing {
        KeyRing(current: transform(current), next: next.map(transform), from: from, previous: previous.map(transform))
    }

    /// All that sign, did, or will.
    package var signers: [any TokenSigner] {
        [current, next, previous].compactMap { $0 }
    }

    /// The public keys and where they stand at a time; a key that stands in two places counts where it does most.
    package func keys(at now: NumericDate) -> [(state: State, key: JWK)] {
        let places: [(State, (any TokenSigner)?)] =
            isPromoted(at: now)
            ? [(.current, next), (.previous, current), (.previous, previous)]
            : [(.current, current), (.next, next), (.previous, previous)]
        var keys: [(state: State, key: JWK)] = []
        for case (let state, let signer?) in places {
            for key in signer.publicKeys {
                guard !keys.contains(where: { $0.key.keyID.utf8.elementsEqual(key.keyID.utf8) }) else { continue }
                keys.append((state, key))
            }
        }
        return keys
    }
}
