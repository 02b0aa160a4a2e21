import FleetToken

extension ServicePlan {
    /// Returns what is left to do, as text with the commands.
    ///
    /// - Parameters:
    ///   - path: The configuration's file.
    ///   - hasFile: Whether a file in the configuration's folder exists.
    /// - Returns: Whole lines.
    package func steps(path: String, hasFile: (String) -> Bool) -> String {
        let accounts = kinds.filter { signing == .google || !hasFile(keyFile(of: $0)) }.map(accountCommands)
        let first = accounts.isEmpty ? [] : [accountTitle + "\n" + accounts.joined()]
        let steps =
            first + permissions + [
                "Check it: tokend check \(path)\n", "Start it: tokend serve --config \(path)\n",
                "See whether Google accepts its tokens: tokenctl doctor \(path) --live\n",
            ]
        return steps.enumerated().map { "\($0 + 1). \($1)" }.joined()
    }

    /// The Debian package's service runs as a user of its own.
    private var permissions: [String] {
        guard isForPackage else { return [] }
        return [
            "Let the service's user read what it needs: sudo chgrp -R tokend /etc/tokend && sudo chmod -R g+rX /etc/tokend\n"
        ]
    }

    private var accountTitle: String {
        signing == .keys
            ? "Create the service accounts, and their keys in the configuration's folder:"
            : "Create the service accounts, and let this machine's account ACCOUNT sign with them:"
    }

    private func accountCommands(of kind: TokenKind) -> String {
        let address = account(of: kind)
        let name = address.prefix { $0 != "@" }
        let last =
            signing == .keys
            ? "(umask 077; mkdir -p keys; gcloud iam service-accounts keys create \(keyFile(of: kind)) --iam-account=\(address))"
            : "gcloud iam service-accounts add-iam-policy-binding \(address) --member=serviceAccount:ACCOUNT --role=roles/iam.serviceAccountTokenCreator"
        return """
               gcloud iam service-accounts create \(name) --project=\(project)
               gcloud projects add-iam-policy-binding \(project) --member=serviceAccount:\(address) --role=\(kind.role)
               \(last)

            """
    }
}
