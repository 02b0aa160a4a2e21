import FleetToken
import TokenMinting

extension ServicePlan {
    /// Returns what is left to do, as text with the commands.
    package func steps(path: String, hasFile: (String) -> Bool) -> String {
        let accounts = kinds.filter { signing == .google || !hasFile(keyFile(of: $0)) }.map(accountCommands)
        let first = accounts.isEmpty ? [] : [accountTitle + "\n" + signerCommands + accounts.joined()]
        let steps = first + claimsStep + installation(path: path)
        return steps.enumerated().map { "\($0 + 1). \($1)" }.joined()
    }

    /// The identity provider has no claims with IDs by itself.
    private var claimsStep: [String] {
        guard ids == .claim else { return [] }
        let names = kinds.filter { !$0.isPrivileged }.map(claim)
        return [
            "Let your backend set these claims of each user: \(names.joined(separator: ", ")) (docs/configuration.md#grants)\n"
        ]
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
