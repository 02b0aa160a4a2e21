package import FleetToken
import JOSE
package import ServiceSupport
import Synchronization

/// The test of the keys that are to be used: each signs once, and is tested again until it has signed.
package final class SigningTest: Sendable {
    package let signers: [TokenKind: any TokenSigner]
    private let last = Mutex<[TokenKind]>([])

    package init(of signers: [TokenKind: any TokenSigner]) {
        self.signers = signers
    }

    /// The kinds whose keys did not sign in the last run.
    package var failing: [TokenKind] { last.withLock { $0 } }

    /// Lets each key sign once.
    ///
    /// - Returns: Which keys cannot sign, and why; and why Google does not sign now for some kinds, which is no reason not to
    ///   serve the others.
    package func run(at now: NumericDate) async -> (problems: [Problem], outages: [Problem]) {
        // Side by side, since each may have to wait for a response from elsewhere.
        let errors = await withTaskGroup(of: (TokenKind, (any Error)?).self) { group in
            for (kind, signer) in signers {
                group.addTask {
                    do {
                        _ = try await signer.test(at: now)
                        return (kind, nil)
                    } catch {
                        return (kind, error)
                    }
                }
            }
            return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
        var (problems, outages, failing) = ([Problem](), [Problem](), [TokenKind]())
        for kind in TokenKind.allCases {
            guard let error = errors[kind] else { continue }
            failing.append(kind)
            let found = Problem.all(of: error).map { $0.within("kinds.\(kind.rawValue)") }
            if error is IAMError { outages += found } else { problems += found }
        }
        last.withLock { [failing] in $0 = failing }
        return (problems, outages)
    }
}

extension TokenSigner {
    /// Mints a token and verifies it with the published key, as its receiver would.
    ///
    /// - Parameters:
    ///   - scope: The scope; nil for a trip that does not exist: the token grants no access, with any signer.
    ///   - now: The wall clock.
    /// - Returns: The token.
    /// - Throws: ``OperatorError`` that names the failing key and the reason, or ``IAMError`` if Google does not sign.
    package func test(_ scope: TokenScope? = nil, at now: NumericDate) async throws -> MintedToken {
        do {
            let scope = try scope ?? .consumer(trip: try ResourceID("fleet-token-self-test"))
            return try await TokenMinter(signers: [scope.kind: self], verifiesLocal: true).mint(scope, now: now)
        } catch  where error is OperatorError || error is IAMError {
            throw error
        } catch {
            let key = publicKeys.first.map { "The key \($0.keyID)" } ?? "The signer"
            throw OperatorError("\(key) of \(issuer) failed to sign. Replace it.")
        }
    }
}
