package import FleetToken
import JOSE
import ServiceSupport

/// All problems of a token: Fleet Engine's checks, and whether its scope is the expected one.
package struct TokenVerification: Sendable {
    /// One failed check.
    package struct Failure: Hashable, Sendable, CustomStringConvertible {
        /// The part of the token that failed.
        package enum Stage: String, Hashable, Sendable {
            case form
            /// Its signature is not the key's.
            case signature
            /// Its claims are not Fleet Engine's, or its time is over.
            case claims
            /// The scope differs from the expected one.
            case scope
        }

        package let stage: Stage
        /// The problem.
        package let description: String
    }

    /// All failed checks, in the order of the token's parts; none if it is valid.
    package private(set) var failures: [Failure] = []
    private var reading: ClaimsReading?
    private let now: NumericDate

    /// Creates the verification of a token.
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
        let problems = reading.refusalsInWords(at: now)
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
        if jws.header.keyID == nil { fail(.claims, "The header has no kid; Fleet Engine requires it.") }
        for problem in problems { fail(.claims, problem.text) }
        if let scope, reading.authorization.access != scope.claims.access {
            fail(.scope, "The token gives access to \(reading.scopeInWords) instead of \(scope.inWords).")
        }
    }

    private mutating func fail(_ stage: Failure.Stage, _ description: String) {
        failures.append(Failure(stage: stage, description: description))
    }
}

extension TokenVerification {
    /// The verdict for people: the scope of a valid token, or one line for each failed check.
    package var text: String {
        guard failures.isEmpty, let reading, let expiresAt = reading.expiresAt else {
            return "Not valid:\n" + failures.map { "  \($0.stage): \($0.description)" }.joined(separator: "\n")
        }
        return
            "Valid: gives access to \(reading.scopeInWords), expires \(expiresAt.distance(from: now)) (\(expiresAt.utc))."
    }
}

extension [ScopeClaim] {
    /// The resources by claim; the order of claims and of a batch's tasks does not matter.
    fileprivate var access: [ScopeClaim.Name: Set<ScopeClaim.Value>] {
        let pairs = map { claim in
            guard case .ids(let ids) = claim.value else { return (claim.name, Set([claim.value])) }
            return (claim.name, Set(ids.map { .id($0) }))
        }
        return Dictionary(pairs) { $0.union($1) }
    }
}

extension TokenVerification {
    /// The verdict for programs: schema 1, to which later versions only add.
    package var json: JSONValue {
        JSONValue(members: [
            ("schema", .integer(1)), ("ok", .bool(failures.isEmpty)),
            ("access", reading.map { .string($0.scopeInWords) } ?? .null),
            ("expiresAt", reading?.expiresAt.map { .string($0.rfc3339) } ?? .null),
            (
                "problems",
                .array(
                    failures.map { failure in
                        JSONValue(members: [
                            ("check", .string("\(failure.stage)")), ("message", .string(failure.description)),
                        ])
                    }
                )
            ),
        ])
    }
}
