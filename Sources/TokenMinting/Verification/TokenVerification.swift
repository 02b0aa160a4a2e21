public import FleetToken
public import JOSE

/// Everything that is wrong with a token: what Fleet Engine would check, and whether it opens what it should.
public struct TokenVerification: Sendable {
    /// One failed check.
    public struct Failure: Hashable, Sendable, CustomStringConvertible {
        /// Which part of the token failed; the earliest is the gravest.
        public enum Stage: Int, Comparable, Sendable {
            /// It is not a token.
            case form
            /// Its signature is not the key's.
            case signature
            /// Its claims are not Fleet Engine's, or its time is over.
            case claims
            /// It opens something else than asked.
            case scope

            /// Orders from the earliest.
            public static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }
        }

        /// Which part failed.
        public let stage: Stage
        /// What is wrong.
        public let description: String
    }

    /// All failed checks, the gravest first; none when the token is valid.
    public private(set) var failures: [Failure] = []

    /// Checks a token.
    ///
    /// - Parameters:
    ///   - token: The compact JWS.
    ///   - keys: The keys that may have signed it.
    ///   - scope: What it should open, if that is to be checked.
    ///   - now: The wall clock.
    public init(of token: [UInt8], keys: VerificationKeys, scope: TokenScope? = nil, now: NumericDate) {
        let jws: CompactJWS
        do {
            jws = try CompactJWS(parsing: token)
        } catch {
            failures.append(Failure(stage: .form, description: error.description))
            return
        }
        do {
            try keys.verify(jws)
        } catch {
            failures.append(Failure(stage: .signature, description: error.description))
        }
        if jws.header.keyID == nil {
            failures.append(Failure(stage: .claims, description: "The header has no kid; Fleet Engine needs it."))
        }
        let reading = ClaimsReading(payload: jws.payload)
        for problem in reading.problems + reading.problems(at: now) {
            failures.append(Failure(stage: .claims, description: problem.description))
        }
        if let scope, Opening.all(of: reading.authorization) != Opening.all(of: scope.claims) {
            failures.append(Failure(stage: .scope, description: "It does not open what was asked for."))
        }
    }
}

/// One resource that a claim opens, or all of a sort without an ID.
///
/// In which order a token names them means nothing.
private struct Opening: Hashable {
    let name: ScopeClaim.Name
    let id: ResourceID?

    static func all(of claims: [ScopeClaim]) -> Set<Opening> {
        Set(
            claims.flatMap { claim in
                switch claim.value {
                case .id(let id): [Opening(name: claim.name, id: id)]
                case .ids(let ids): ids.map { Opening(name: claim.name, id: $0) }
                case .every: [Opening(name: claim.name, id: nil)]
                }
            }
        )
    }
}

/// What a token's signature is checked with.
public enum VerificationKeys: Sendable {
    /// The key of a set that the token's header names.
    case set(JWKSet)
    /// One key, whatever the token calls it.
    case key(RSAPublicKey)

    func verify(_ jws: CompactJWS) throws(JOSEError) {
        switch self {
        case .set(let keys): try jws.verify(with: keys)
        case .key(let key): try jws.verify(with: key)
        }
    }
}
