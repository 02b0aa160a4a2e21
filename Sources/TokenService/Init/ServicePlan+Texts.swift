import FleetToken

extension ServicePlan {
    /// The configuration file, with comments: YAML that `tokend check` accepts once the files are there.
    package var configuration: String {
        ([header, service, signers, callers, grants] + (ids == .webhook ? [webhooks] : []) + [audit])
            .joined(separator: "\n")
    }

    private var header: String {
        """
        # The configuration of tokend. All settings: docs/configuration.md. Check it with: tokend check
        version: 1

        """
    }

    private var service: String {
        """
        service:
          # A proxy on this machine terminates TLS. Without one:
          #   listen: 0.0.0.0:8443
          #   tls: {certificate: tls.crt, key: tls.key}
          listen: 127.0.0.1:8080
          trustedProxies: [127.0.0.1/32]

        """
    }

    private var signers: String {
        let lines = kinds.map { kind in
            let source = signing == .keys ? "serviceAccount: \(keyFile(of: kind))" : "iam: \(account(of: kind))"
            return "  \(kind.rawValue): {\(source)}\n"
        }
        return "# The kinds of tokens, each with a service account of its own.\nkinds:\n" + lines.joined()
    }

    private var callers: String {
        let method =
            switch method {
            case .firebase: "firebase: {project: \(project)}"
            case .auth0, .oidc:
                "jwt: {issuer: \(quoted(issuer)), audiences: [\(quoted(audience))]\(authorities.map { ", caFile: \(quoted($0))" } ?? "")}"
            case .apiKey: "apiKeys: {file: api-keys}"
            }
        return """
            # Who may call: \(self.method.isApp ? "signed-in users, by their ID tokens" : "your backend").
            callers:
              \(caller):
                \(method)\(kinds.contains(where: \.isPrivileged) ? "\n    admin: true" : "")

            """
    }

    private var grants: String {
        let own = kinds.filter { !$0.isPrivileged }
        var text = "# What callers get. A request that no grant allows is denied.\ngrants:\n"
        switch ids {
        case .claim:
            for kind in own {
                text += grant(
                    kind.rawValue.replacing("_", with: "-"),
                    [kind],
                    ids: quoted("{claims.\(claim(of: kind))}")
                )
            }
        case .webhook where !own.isEmpty: text += grant("decided", own, ids: "{webhook: ids}")
        case .any where !own.isEmpty: text += grant("any", own, ids: "any")
        case .webhook, .any: break
        }
        let privileged = kinds.filter(\.isPrivileged)
        if !privileged.isEmpty { text += grant("fleet", privileged, ids: "any") }
        return text
    }

    private func grant(_ name: String, _ kinds: [TokenKind], ids: String) -> String {
        let names = kinds.map(\.rawValue).joined(separator: ", ")
        return "  \(name): {callers: [\(caller)], kinds: [\(names)], ids: \(ids)}\n"
    }

    private var webhooks: String {
        """
        # Decides which IDs a caller gets. The secret signs the requests.
        webhooks:
          ids: {url: \(quoted(webhook)), secretFile: webhook-secret}

        """
    }

    private var audit: String {
        """
        # A line for each token, before it leaves.
        audit:
          file: \(isForPackage ? "/var/lib/tokend/audit.jsonl" : "audit.jsonl")

        """
    }

    /// The key file of a kind, from the configuration's folder.
    func keyFile(of kind: TokenKind) -> String { "keys/\(kind.rawValue).json" }

    /// Returns a text in quotation marks: a JSON string, which YAML reads as the same text.
    private func quoted(_ text: String?) -> String { JSONValue.string(text ?? "").pretty() }
}

extension ServicePlan {
    /// Returns what is left to do, as text with the commands.
    package func steps(path: String, hasFile: (String) -> Bool) -> String {
        let accounts = kinds.filter { signing == .google || !hasFile(keyFile(of: $0)) }.map(accountCommands)
        let first = accounts.isEmpty ? [] : [accountTitle + "\n" + accounts.joined()]
        let steps =
            first + permissions + [
                "Check it: tokend check \(path)\n", "Start it: tokend serve --config \(path)\n",
                "See whether Google accepts its tokens: tokend check \(path) --live\n",
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
