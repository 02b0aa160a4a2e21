package import ServiceConfiguration
import ServiceSupport

extension CallerAuthenticator {
    /// Revokes the credentials that an operator removed, for a reload that fails for another reason.
    ///
    /// A reload takes effect as a whole, so that a mistake leaves the last good configuration. To take a credential away is no
    /// mistake: an API key that its file does not have any more, the keys of an issuer whose file has others or is gone, and all
    /// client certificates if their authorities' file is gone or empty.
    ///
    /// - Parameters:
    ///   - callers: The callers of the running service.
    ///   - clientAuthorities: The file with the authorities for client certificates; nil if there is none.
    /// - Returns: What is refused from now on and was not before, a sentence each.
    package func withdraw(from callers: [CallerConfiguration], clientAuthorities: String?) -> [String] {
        var changes: [String] = []
        for caller in callers {
            guard case .apiKeys(let path) = caller.method, let ids = APIKeyFile.ids(in: path) else { continue }
            let withdrawn = apiKeys.withdraw(allBut: ids, of: caller.name)
            changes += withdrawn.map { "callers.\(caller.name): the API key \($0) is not in \(path) and is revoked." }
        }
        changes += tokens.withdraw().map {
            "callers.\($0): the file with the issuer's keys is gone, so its keys are not used."
        }
        if let path = clientAuthorities, Self.hasNoContent(path), certificates.withdraw() {
            changes.append(
                "service.tls.clientAuthorities: \(path) is gone or empty, so no client certificate is accepted."
            )
        }
        return changes
    }

    private static func hasNoContent(_ path: String) -> Bool {
        KeyFile.isPresent(path) ? (try? KeyFile.read(path)).map(\.isEmpty) ?? false : true
    }
}
