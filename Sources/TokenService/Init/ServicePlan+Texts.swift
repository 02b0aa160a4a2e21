import FleetToken
import TokenMinting

extension ServicePlan {
    /// The file to write, with comments: a configuration that `tokend check` accepts once the files are there, or the chart's
    /// values with one.
    package var configuration: String {
        let sections = [service, signers, callers, grants] + (ids == .webhook ? [webhooks] : [])
        switch target {
        case .machine: return ([header] + sections + [audit]).joined(separator: "\n")
        case .cloudRun: return ([header] + sections).joined(separator: "\n")
        case .helm:
            let lines = sections.joined(separator: "\n").split(separator: "\n", omittingEmptySubsequences: false)
            return values + lines.map { $0.isEmpty ? "\n" : "  \($0)\n" }.joined().dropLast()
        }
    }

    private var header: String {
        """
        # The configuration of tokend. All settings: docs/configuration.md. Check it with: tokend check
        version: 1

        """
    }

    /// The values besides the configuration, whose listeners and audit trail are the chart's.
    private var values: String {
        let secrets = secretFiles.map { "  \($0.folder): tokend-\($0.folder)\n" }
        return """
            # Values of the chart deploy/helm/fleet-token, which explains each of them.
            image: \(image)
            \(secrets.isEmpty ? "" : "secrets:\n" + secrets.joined())# All settings: docs/configuration.md. The chart adds the listeners.
            config:

            """
    }

    private var image: String { "europe-docker.pkg.dev/\(project)/tokend/tokend:\(ProductVersion.current)" }

    /// The files with secrets, by the folder below /etc/tokend where the service finds them.
    private var secretFiles: [(folder: String, files: [String])] {
        [
            ("callers", method == .apiKey ? ["api-keys"] : []),
            ("keys", signing == .keys ? kinds.map(keyFile) : []),
            ("webhooks", ids == .webhook ? ["webhook-secret"] : []),
        ].filter { !$0.1.isEmpty }
    }

    /// Returns the path of a file in the configuration.
    private func path(_ file: String, in folder: String) -> String {
        let name = file.split(separator: "/").last.map(String.init) ?? file
        return target == .machine ? file : "/etc/tokend/\(folder)/\(name)"
    }

    private var service: String {
        switch target {
        case .machine:
            """
            service:
              # A proxy on this machine terminates TLS. Without one:
              #   listen: 0.0.0.0:8443
              #   tls: {certificate: tls.crt, key: tls.key}
              listen: 127.0.0.1:8080
              trustedProxies: [127.0.0.1/32]

            """
        case .helm:
            """
            service:
              # The ingress controller or gateway terminates TLS. Its address range:
              behindTLSProxy: true
              trustedProxies: [10.0.0.0/8]
              drain: 10s

            """
        case .cloudRun:
            """
            service:
              listen: 0.0.0.0:8080
              # Cloud Run terminates TLS. The address range of its proxy:
              behindTLSProxy: true
              trustedProxies: [169.254.0.0/16]
              # An instance is killed ten seconds after SIGTERM.
              drain: 0s
              requestTimeout: 4s

            # For Cloud Run's probes; it does not route requests to this port.
            admin: {listen: 0.0.0.0:9090}

            """
        }
    }

    private var signers: String {
        let lines = kinds.map { kind in
            let source =
                signing == .keys
                ? "serviceAccount: \(path(keyFile(of: kind), in: "keys"))" : "iam: \(account(of: kind))"
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
            case .apiKey: "apiKeys: {file: \(path("api-keys", in: "callers"))}"
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
          ids: {url: \(quoted(webhook)), secretFile: \(path("webhook-secret", in: "webhooks"))}

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
        let first = accounts.isEmpty ? [] : [accountTitle + "\n" + signerCommands + accounts.joined()]
        let steps = first + installation(path: path)
        return steps.enumerated().map { "\($0 + 1). \($1)" }.joined()
    }

    private func installation(path: String) -> [String] {
        switch target {
        case .machine:
            permissions + [
                "Check it: tokend check \(path)\n", "Start it: tokend serve --config \(path)\n",
                "See whether Google accepts its tokens: tokend check \(path) --live\n",
            ]
        case .helm:
            [
                "Create the namespace and the Secrets:\n   kubectl create namespace tokend\n"
                    + secretFiles.map { folder, files in
                        "   kubectl -n tokend create secret generic tokend-\(folder)\(files.map { " --from-file=\($0)" }.joined())\n"
                    }.joined(),
                "Push an image, and name it in \(path): docs/guides/cloud-run.md has the commands.\n",
                "Install the chart, which checks the configuration first: helm install tokend deploy/helm/fleet-token --namespace tokend --values \(path)\n",
                "See whether Google accepts its tokens: kubectl -n tokend exec deployment/tokend -- tokend check --live\n",
            ]
        case .cloudRun:
            [
                "Create the secrets:\n   gcloud secrets create tokend-config --data-file=\(path)\n"
                    + (method == .apiKey ? "   gcloud secrets create tokend-callers --data-file=api-keys\n" : ""),
                "Push an image and replace the service: docs/guides/cloud-run.md has the commands, and deploy/cloud-run/service.yaml the service.\n",
            ]
        }
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
            : "Create the service accounts, and let tokend sign with them:"
    }

    /// How IAM names the service, which signs with the accounts.
    private var member: String {
        target == .helm
            ? "principal://iam.googleapis.com/projects/$NUMBER/locations/global/workloadIdentityPools/\(project).svc.id.goog/subject/ns/tokend/sa/tokend"
            : "serviceAccount:tokend@\(project).iam.gserviceaccount.com"
    }

    /// The commands for the service's own account, with which this machine or the service on Cloud Run must run.
    private var signerCommands: String {
        guard signing == .google else { return "" }
        let identity =
            target == .helm
            ? "NUMBER=$(gcloud projects describe \(project) --format='value(projectNumber)')"
            : "gcloud iam service-accounts create tokend --project=\(project)"
        return "   \(SigningRole.creation(in: project))\n   \(identity)\n\n"
    }

    private func accountCommands(of kind: TokenKind) -> String {
        let address = account(of: kind)
        let name = address.prefix { $0 != "@" }
        let last =
            signing == .keys
            ? "(umask 077; mkdir -p keys; gcloud iam service-accounts keys create \(keyFile(of: kind)) --iam-account=\(address))"
            : SigningRole.binding(to: member, on: address)
        return """
               gcloud iam service-accounts create \(name) --project=\(project)
               gcloud projects add-iam-policy-binding \(project) --condition=None --member=serviceAccount:\(address) --role=\(kind.role)
               \(last)

            """
    }
}
