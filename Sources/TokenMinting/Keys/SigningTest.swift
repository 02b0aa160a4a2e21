package import FleetToken
import JOSE
package import ServiceSupport

/// Lets each key sign once.
package struct SigningTest {
    /// Which keys cannot sign, and why.
    package private(set) var problems: [Problem] = []
    /// Why Google does not sign now for some kinds: no reason not to serve the others.
    package private(set) var outages: [Problem] = []
    /// The kinds that failed, for either reason.
    package private(set) var failing: [String] = []

    package init(of signers: [TokenKind: any TokenSigner], at now: NumericDate) async {
        // Side by side, since each may have to wait for a response from elsewhere.
        let errors = await withTaskGroup(of: (TokenKind, (any Error)?).self) { group in
            for (kind, signer) in signers {
                group.addTask {
                    do {
                        try await signer.test(at: now)
                        return (kind, nil)
                    } catch {
                        return (kind, error)
                    }
                }
            }
            return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
        for kind in TokenKind.allCases {
            guard let error = errors[kind] else { continue }
            failing.append(kind.rawValue)
            let found = Problem.all(of: error).map { $0.within("kinds.\(kind.rawValue)") }
            if error is IAMError { outages += found } else { problems += found }
        }
    }
}

extension TokenSigner {
    /// Signs a token, which is verified with the published key and then dropped.
    ///
    /// - Throws: ``OperatorError`` that names the failing key and the reason, or ``IAMError`` if Google does not sign.
    package func test(at now: NumericDate) async throws {
        do {
            // A trip that does not exist: the token grants no access, with any signer.
            let scope = TokenScope.consumer(trip: try ResourceID("fleet-token-self-test"))
            _ = try await TokenMinter(signers: [.consumer: self], verifiesLocal: true).mint(scope, now: now)
        } catch  where error is OperatorError || error is IAMError {
            throw error
        } catch {
            let key = publicKeys.first.map { "The key \($0.keyID)" } ?? "The signer"
            throw OperatorError("\(key) of \(issuer) failed to sign. Replace it.")
        }
    }
}
