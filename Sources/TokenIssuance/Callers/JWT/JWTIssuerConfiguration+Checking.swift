import FleetToken
import ServiceConfiguration
import ServiceSupport
import StrictCoding

extension JWTIssuerConfiguration {
    /// Checks that it is neither unsafe nor useless.
    ///
    /// - Parameter ownAccounts: The email addresses of the service accounts that sign minted tokens.
    /// - Throws: ``ConfigurationError`` with all that is wrong.
    func check(ownAccounts: [String]) throws(ConfigurationError) {
        let problems = tokenProblems(ownAccounts: ownAccounts)
        guard problems.isEmpty else { throw ConfigurationError(problems: problems) }
    }

    private func tokenProblems(ownAccounts: [String]) -> [String] {
        var problems: [String] = []
        if issuer.utf8.isEmpty {
            problems.append("issuer is empty: set it to the value of the tokens' iss.")
        }
        if ownAccounts.contains(where: { $0.hasSameBytes(as: issuer) }) {
            problems.append("issuer is an account that signs this service's tokens, which cannot authenticate callers.")
        }
        if audiences.isEmpty || audiences.contains(where: \.utf8.isEmpty) {
            problems.append("audiences must not be empty or contain an empty value: use the value of the tokens' aud.")
        }
        if audiences.contains(where: { $0.hasSameBytes(as: FleetClaims.audience) }) {
            problems.append(
                "audiences must not contain Fleet Engine's audience, which minted tokens have; use an audience of your own."
            )
        }
        if algorithms.isEmpty {
            problems.append("algorithms must not be empty: list the issuer's signature algorithms, such as RS256.")
        }
        if let types, !types.allSatisfy(Self.isType) {
            problems.append("types must be in lower case and without application/, such as jwt or at+jwt.")
        }
        if requiredClaims.contains(where: \.path.isEmpty) {
            problems.append("A required claim has an empty name.")
        }
        return problems
    }

    private static func isType(_ type: String) -> Bool {
        type.utf8.elementsEqual(type.utf8.lowercasedASCII) && !type.utf8.contains(UInt8(ascii: "/"))
    }
}
