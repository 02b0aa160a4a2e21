package import FleetToken
import JOSE

/// Everything that is wrong with a token: what Fleet Engine would check, and whether it opens what it should.
package struct TokenVerification: Sendable {
    /// One failed check.
    package struct Failure: Hashable, Sendable, CustomStringConvertible {
        /// Which part of the token failed; the earliest is the gravest.
        package enum Stage: String, Hashable, Sendable {
            /// It is not a token.
            case form
            /// Its signature is not the key's.
            case signature
            /// Its claims are not Fleet Engine's, or its time is over.
            case claims
            /// It opens something else than asked.
            case scope
        }

        /// Which part failed.
        package let stage: Stage
        /// What is wrong.
        package let description: String
    }

    /// All failed checks, the gravest first; none when the token is valid.
    package private(set) var failures: [Failure] = []
    private var reading: ClaimsReading?
    private let now: NumericDate

    /// Checks a token.
    ///
    /// - Parameters:
    ///   - token: The compact JWS.
    ///   - keys: The keys that may have signed it.
    ///   - scope: What it should open, if that is to be checked.
    ///   - now: The wall clock.
    package init(of token: [UInt8], keys: VerificationKeys, scope: TokenScope? = nil, now: NumericDate) {
        self.now = now
        let jws: CompactJWS
        do {
            jws = try CompactJWS(parsing: token)
        } catch {
            fail(.form, error.description)
            return
        }
        let reading = ClaimsReading(payload: jws.payload)
        let problems = reading.problemsInWords(at: now)
        let isReadable = problems.allSatisfy { $0.code != .malformed }
        if !isReadable {
            for problem in problems { fail(.form, problem.text) }
        }
        do {
            try keys.verify(jws)
        } catch {
            fail(.signature, error.description)
        }
        guard isReadable else { return }
        self.reading = reading
        if jws.header.keyID == nil { fail(.claims, "The header has no kid; Fleet Engine needs it.") }
        for problem in problems { fail(.claims, problem.text) }
        if let scope, !reading.authorization.opensSame(as: scope.claims) {
            fail(.scope, "It opens \(reading.scopeInWords), and not \(scope.inWords).")
        }
    }

    private mutating func fail(_ stage: Failure.Stage, _ description: String) {
        failures.append(Failure(stage: stage, description: description))
    }
}

extension TokenVerification {
    /// The verdict for people: what a valid token opens, or a line for each failed check.
    package var text: String {
        guard failures.isEmpty, let reading, let expiresAt = reading.expiresAt else {
            return "Not valid:\n" + failures.map { "  \($0.stage): \($0.description)" }.joined(separator: "\n")
        }
        return
            "Valid: it opens \(reading.scopeInWords), and expires \(expiresAt.distance(from: now)) (\(expiresAt.utc))."
    }
}
