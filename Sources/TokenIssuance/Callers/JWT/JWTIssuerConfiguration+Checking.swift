import FleetToken
import ServiceConfiguration
import StrictCoding

extension JWTIssuerConfiguration {
    /// Checks that it is neither unsafe nor useless.
    ///
    /// - Parameter ownAccounts: The e-mail addresses of the service accounts that sign what is minted here.
    /// - Throws: ``ConfigurationError`` with all that is wrong.
    func check(ownAccounts: [String]) throws(ConfigurationError) {
        let problems = tokenProblems(ownAccounts: ownAccounts) + timeProblems
        guard problems.isEmpty else { throw ConfigurationError(problems: problems) }
    }

    private func tokenProblems(ownAccounts: [String]) -> [String] {
        var problems: [String] = []
        if issuer.utf8.isEmpty {
            problems.append("The issuer is empty: write the value of the tokens' iss.")
        }
        if ownAccounts.contains(where: { $0.utf8.elementsEqual(issuer.utf8) }) {
            problems.append("The issuer is an account that signs tokens here; what is minted here proves no caller.")
        }
        if audiences.isEmpty || audiences.contains(where: \.utf8.isEmpty) {
            problems.append("There must be an audience, and none may be empty: write the value of the tokens' aud.")
        }
        if audiences.contains(where: { $0.utf8.elementsEqual(FleetClaims.audience.utf8) }) {
            problems.append(
                "Fleet Engine's audience is that of tokens minted here; ask the issuer for one of your own."
            )
        }
        if algorithms.isEmpty {
            problems.append("There must be an algorithm: write those that the issuer signs with, such as RS256.")
        }
        if let types, !types.allSatisfy(Self.isType) {
            problems.append("Types are written in lower case and without application/, such as jwt or at+jwt.")
        }
        if requiredClaims.contains(where: \.path.isEmpty) {
            problems.append("A required claim has no name.")
        }
        return problems
    }

    private static func isType(_ type: String) -> Bool {
        type.utf8.elementsEqual(type.utf8.lowercasedASCII) && !type.utf8.contains(UInt8(ascii: "/"))
    }

    private var timeProblems: [String] {
        var problems: [String] = []
        if !(0...300).contains(leeway) {
            problems.append("The leeway is 0 to 300 seconds.")
        }
        if !(60...3600).contains(refetchInterval) {
            problems.append("The least time between fetches for unknown keys is 60 to 3600 seconds.")
        }
        if refresh < refetchInterval {
            problems.append(
                "Keys are refreshed no sooner than the least time between fetches, \(refetchInterval) seconds."
            )
        }
        if maxStale < refresh || maxStale > 604_800 {
            problems.append("Keys are kept at least until they are refreshed, and a week (604800 seconds) at most.")
        }
        return problems
    }
}
