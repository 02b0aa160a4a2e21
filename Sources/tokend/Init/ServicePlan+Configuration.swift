import FleetToken
import TokenMinting
import TokenService

extension ServicePlan {
    /// The file to write, with comments: a configuration that `tokend check` accepts once the files are there, or the chart's
    /// values with one.
    var configuration: String {
        let sections = [service, signers, callers, grants] + (usesWebhook ? [webhooks] : [])
        switch target {
        case .machine, .package: return ([header] + sections + [audit]).joined(separator: "\n")
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
            # Values of the chart, which explains each of them. The chart of a release names its image; else add `image`.
            \(secrets.isEmpty ? "" : "secrets:\n" + secrets.joined())# All settings: docs/configuration.md. The chart adds the listeners.
            config:

            """
    }

    /// The files with secrets, by the folder below /etc/tokend where the service finds them.
    var secretFiles: [(folder: String, files: [String])] {
        [
            ("callers", method == .apiKey ? ["api-keys"] : []),
            ("keys", signing == .keys ? kinds.map(keyFile) : []),
            ("webhooks", usesWebhook ? ["webhook-secret"] : []),
        ].filter { !$0.1.isEmpty }
    }

    /// Returns the path of a file in the configuration.
    private func path(_ file: String, in folder: String) -> String {
        switch target {
        case .machine, .package: file
        case .helm, .cloudRun: "/etc/tokend/\(folder)/\(file.split(separator: "/").last ?? "")"
        }
    }

    private var service: String {
        switch target {
        case .machine, .package:
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
              # Google's proxy decides when an unused connection ends.
              idleTimeout: 620s

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
          file: \(target == .package ? "/var/lib/tokend/audit.jsonl" : "audit.jsonl")

        """
    }

    /// The key file of a kind, from the configuration's folder.
    func keyFile(of kind: TokenKind) -> String { "keys/\(kind.rawValue).json" }

    /// Returns a text in quotation marks: a JSON string, which YAML reads as the same text.
    private func quoted(_ text: String?) -> String { JSONValue.string(text ?? "").pretty() }
}
